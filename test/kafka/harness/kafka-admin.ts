import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { kafkaJars } from './jars.js'

const SOURCE = fileURLToPath(new URL('java/AskAsAdmin.java', import.meta.url))

export type AdminJob =
  | {
      readonly kind: 'scram'
      readonly mechanism: 'SCRAM-SHA-256' | 'SCRAM-SHA-512'
      readonly user: string
      readonly password: string
    }
  | {
      readonly kind: 'acl'
      readonly permission: 'ALLOW' | 'DENY'
      readonly user: string
      readonly operation: string
      /** Null: the cluster. `*`: every topic. */
      readonly topic: string | null
    }
  /** Describes the cluster with this file of client properties. */
  | { readonly kind: 'login'; readonly bootstrapServer: string; readonly file: string }

/**
 * Kafka's own admin client does these jobs, one after the other in one JVM. Gives each one's end: `ok`, or the Java class and
 * the cause of what went wrong. `bootstrapServer` is where a superuser needs no login.
 */
export async function askAsAdmin(
  version: string,
  bootstrapServer: string,
  jobs: readonly AdminJob[],
  systemProperties: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const { classpath } = await kafkaJars(version)
  const options = Object.entries(systemProperties).map(([key, value]) => `-D${key}=${value}`)
  const { stdout } = await execa(
    'java',
    [
      ...options,
      '-Xmx256m',
      '-XX:TieredStopAtLevel=1',
      '-Dorg.slf4j.simpleLogger.defaultLogLevel=off',
      '-cp',
      classpath,
      SOURCE,
    ],
    { input: jobs.map((job) => `${lineOf(bootstrapServer, job)}\n`).join(''), stderr: 'ignore' },
  )
  const answers = stdout.split('\n')
  if (answers.length !== jobs.length) throw new Error(`${jobs.length} jobs, ${answers.length} answers: ${stdout}`)
  return answers
}

function lineOf(bootstrapServer: string, job: AdminJob): string {
  switch (job.kind) {
    case 'login':
      return `login ${job.bootstrapServer} ${job.file}`
    case 'scram':
      return `scram ${bootstrapServer} ${job.mechanism} ${base64(job.user)} ${base64(job.password)}`
    case 'acl': {
      const resource = job.topic === null ? 'CLUSTER kafka-cluster' : `TOPIC ${job.topic}`
      return `acl ${bootstrapServer} ${job.permission} ${job.user} ${job.operation} ${resource}`
    }
  }
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { startCluster, type TestCluster } from '../harness/cluster.js'
import { freePorts } from '../harness/free-ports.js'
import { kafkaJars } from '../harness/jars.js'
import { type AdminJob, askAsAdmin } from '../harness/kafka-admin.js'
import { properties } from '../harness/server-properties.js'

const VERSION = '4.4.0'
const PASSWORD = 'secret-of-all'
const MODULE = 'org.apache.kafka.common.security.plain.PlainLoginModule'

/** Operations, as kafka-acls writes them, on the cluster and on topics by name (`*`: all of them). */
export interface Rights {
  readonly cluster?: readonly string[]
  readonly topics?: Readonly<Record<string, readonly string[]>>
}

export interface User {
  readonly name: string
  readonly allowed: Rights
  readonly denied?: Rights
}

export interface GuardedCluster {
  readonly kafka: TestCluster
  /** Client properties of that user. */
  readonly clientFile: (user: string) => string
  /** Where users log in, of each broker by id. */
  readonly port: (broker: number) => number
  readonly bootstrapServers: string
  /** Runs a kafka-acls line as printed, with its three blanks filled in. */
  runAcls(line: string, user: string): Promise<void>
}

/** Three brokers with StandardAuthorizer, where nobody may do anything that is not allowed. Without a login: a superuser, for the test itself. */
export async function startGuardedCluster(users: readonly User[]): Promise<GuardedCluster> {
  const ports = await freePorts(3)
  const port = (broker: number) => ports[broker - 1] ?? 0
  const jaas = `${MODULE} required ${users.map(({ name }) => `user_${name}="${PASSWORD}"`).join(' ')};`
  const kafka = await startCluster({
    version: VERSION,
    logDirsPerBroker: 1,
    config: {
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      'super.users': 'User:ANONYMOUS',
    },
    brokerConfig: ({ id, port: plainPort }) => {
      const addresses = `PLAINTEXT://127.0.0.1:${plainPort},USERS://127.0.0.1:${port(id)}`
      return {
        listeners: addresses,
        'advertised.listeners': addresses,
        'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,USERS:SASL_PLAINTEXT',
        'inter.broker.listener.name': 'PLAINTEXT',
        'listener.name.users.sasl.enabled.mechanisms': 'PLAIN',
        'listener.name.users.plain.sasl.jaas.config': jaas,
      }
    },
  })
  try {
    const jobs = users.flatMap(({ name, allowed, denied = {} }) => [
      ...aclJobs(name, 'ALLOW', allowed),
      ...aclJobs(name, 'DENY', denied),
    ])
    const answers = await askAsAdmin(VERSION, kafka.bootstrapServers, jobs)
    if (answers.some((answer) => answer !== 'ok')) throw new Error(`ACLs could not be made: ${answers.join()}`)
    for (const { name } of users) writeFileSync(fileOf(kafka, name), clientProperties(name))
    const commands = await kafkaAclsCommand(kafka.folder)
    return {
      kafka,
      port,
      clientFile: (user) => fileOf(kafka, user),
      get bootstrapServers() {
        return kafka.brokers
          .filter(({ isRunning }) => isRunning)
          .map(({ id }) => `127.0.0.1:${port(id)}`)
          .join(',')
      },
      async runAcls(line, user) {
        const filled = line
          .replace('HOST:PORT', `127.0.0.1:${kafka.anyBroker().port}`)
          .replace('ADMIN.properties', join(kafka.folder, 'admin.properties'))
          .replace('User:NAME', `User:${user}`)
        await execa('sh', ['-c', filled], { env: { PATH: `${commands}:${process.env.PATH}` }, stdin: 'ignore' })
      },
    }
  } catch (error) {
    await kafka.dispose()
    throw error
  }
}

function fileOf({ folder }: TestCluster, user: string): string {
  return join(folder, `${user}.properties`)
}

function clientProperties(user: string): string {
  return properties({
    'security.protocol': 'SASL_PLAINTEXT',
    'sasl.mechanism': 'PLAIN',
    'sasl.jaas.config': `${MODULE} required username="${user}" password="${PASSWORD}";`,
  })
}

function aclJobs(user: string, permission: 'ALLOW' | 'DENY', { cluster = [], topics = {} }: Rights): AdminJob[] {
  return [
    ...cluster.map((operation): AdminJob => ({ kind: 'acl', permission, user, operation, topic: null })),
    ...Object.entries(topics).flatMap(([topic, operations]) =>
      operations.map((operation): AdminJob => ({ kind: 'acl', permission, user, operation, topic })),
    ),
  ]
}

/** A folder with `kafka-acls`, as Kafka's bin folder has it, and an empty admin.properties: the superuser needs no login. */
async function kafkaAclsCommand(folder: string): Promise<string> {
  const { classpath } = await kafkaJars(VERSION)
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(folder, 'admin.properties'), '')
  const java = `java -Xmx256m -XX:TieredStopAtLevel=1 -Dorg.slf4j.simpleLogger.defaultLogLevel=off -cp '${classpath}'`
  writeFileSync(join(bin, 'kafka-acls'), `#!/bin/sh\nexec ${java} org.apache.kafka.tools.AclCommand "$@"\n`, {
    mode: 0o755,
  })
  return bin
}

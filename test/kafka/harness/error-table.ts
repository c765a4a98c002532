import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import type { KafkaJars } from './jars.js'

const SOURCE = fileURLToPath(new URL('java/PrintErrors.java', import.meta.url))

export interface KafkaError {
  readonly code: number
  readonly name: string
  readonly retriable: boolean
}

/** The error table of a Kafka version, as its own class tells it. */
export async function errorTable({ classpath }: KafkaJars): Promise<KafkaError[]> {
  const { stdout } = await execa('java', ['-cp', classpath, SOURCE], { stdin: 'ignore' })
  return stdout.split('\n').map((line) => {
    const [code, name, retriable] = line.split(' ')
    if (name === undefined) throw new Error(`not a line of the error table: ${line}`)
    return { code: Number(code), name, retriable: retriable === 'true' }
  })
}

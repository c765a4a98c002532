import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ExecaError, execa } from 'execa'

/** A Kafka version on this machine, ready to run. */
export interface KafkaJars {
  readonly version: string
  /** For java -cp: all jars, and the launcher KafkaNode. */
  readonly classpath: string
  /** The message definitions of that version's kafka-clients jar: Name.json. */
  readonly messages: string
}

const LAUNCHER_SOURCE = fileURLToPath(new URL('java/KafkaNode.java', import.meta.url))

/** Where jars are kept between runs: $KAFKA_RECOVERY_TEST_CACHE, else ~/.cache/kafka-recovery-test. */
export function cacheFolder(): string {
  return process.env.KAFKA_RECOVERY_TEST_CACHE ?? join(homedir(), '.cache', 'kafka-recovery-test')
}

/**
 * Gets Kafka's jars with Maven, once for each version; later runs need no network. All of it appears in the cache at once or
 * not at all, so that an interrupted download is never taken for a whole one.
 */
export async function kafkaJars(version: string): Promise<KafkaJars> {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`not a Kafka version: ${version}`)
  const folder = join(cacheFolder(), version)
  if (!existsSync(folder)) await installAtomically(folder, (temporary) => download(version, temporary))
  const libraries = join(folder, 'libs')
  const launcher = await compiledLauncher(folder, libraries)
  return { version, classpath: `${launcher}:${join(libraries, '*')}`, messages: join(folder, 'common', 'message') }
}

async function installAtomically(folder: string, fill: (temporary: string) => Promise<void>): Promise<void> {
  await mkdir(join(folder, '..'), { recursive: true })
  const temporary = await mkdtemp(`${folder}.incomplete-`)
  try {
    await fill(temporary)
    await rename(temporary, folder)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    // Another run was faster: its result is as good.
    if (!existsSync(folder)) throw error
  }
}

async function download(version: string, folder: string): Promise<void> {
  const pom = join(folder, 'pom.xml')
  const libraries = join(folder, 'libs')
  await writeFile(pom, pomOf(version))
  await run(
    'mvn',
    // Without the logging that Kafka 3 brings along: slf4j-simple is the one that writes our log files.
    [
      '-q',
      '-B',
      '-f',
      pom,
      'dependency:copy-dependencies',
      `-DoutputDirectory=${libraries}`,
      '-DincludeScope=runtime',
      '-DexcludeArtifactIds=slf4j-reload4j',
    ],
    folder,
    `Maven gets the jars of Kafka ${version}: install it (Debian: apt-get install maven), with access to Maven Central`,
  )
  const names = await readdir(libraries)
  const clients = `kafka-clients-${version}.jar`
  if (!names.includes(clients)) throw new Error(`Maven brought no ${clients} into ${libraries}`)
  await run('jar', ['--extract', '--file', join(libraries, clients), 'common/message'], folder, JDK_HINT)
}

const JDK_HINT =
  'the tests with real brokers need a JDK, version 17 or newer (Debian: apt-get install openjdk-17-jdk-headless)'

/** The launcher's class file lies beside the jars, in a folder named after its source: an edited source is compiled anew. */
async function compiledLauncher(folder: string, libraries: string): Promise<string> {
  const source = await readFile(LAUNCHER_SOURCE)
  const classes = join(folder, `launcher-${createHash('sha256').update(source).digest('hex').slice(0, 16)}`)
  if (!existsSync(classes)) {
    await installAtomically(classes, (temporary) =>
      run('javac', ['-cp', join(libraries, '*'), '-d', temporary, LAUNCHER_SOURCE], temporary, JDK_HINT),
    )
  }
  return classes
}

async function run(command: string, args: readonly string[], cwd: string, hint: string): Promise<void> {
  try {
    await execa(command, args, { cwd, stdin: 'ignore', all: true })
  } catch (error) {
    if (!(error instanceof ExecaError)) throw error
    if (error.code === 'ENOENT') throw new Error(`${command} is not installed. ${hint}.`)
    throw new Error(`${error.shortMessage}\n${error.all ?? ''}\n${hint}.`)
  }
}

function pomOf(version: string): string {
  const dependencies = [
    ['org.apache.kafka', 'kafka_2.13', version],
    ['org.apache.kafka', 'kafka-tools', version],
    ['org.slf4j', 'slf4j-simple', '1.7.36'],
  ]
    .map(
      ([group, artifact, artifactVersion]) =>
        `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${artifactVersion}</version></dependency>`,
    )
    .join('')
  return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>jars</artifactId><version>1</version><dependencies>${dependencies}</dependencies></project>\n`
}

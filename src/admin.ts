import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fileCommands } from './admin/backup-commands.ts'
import { commands, type Settings, usage } from './admin/commands.ts'
import { type Config, ConfigError, readConfig, unknownSettings } from './config.ts'
import { reasonOf } from './local/embedded/errors.ts'
import { withEmbeddedDatabase } from './local/embedded-database.ts'
import { SYSTEM_ROLE } from './persistence/entities/columns.ts'
import { migrate } from './persistence/migrate.ts'
import { openOrm } from './persistence/orm.ts'
import { sentenceOf } from './runtime/error-sentences.ts'

/** `npm run admin`: prints the result, or one sentence with the reason of a failure. */
async function main(): Promise<void> {
  const { name, operands, settings } = readArguments(process.argv.slice(2))
  const fileCommand = fileCommands[name]
  if (fileCommand) return console.log(await fileCommand(fileIn(operands), configured()))
  refuseMore(operands)
  const command = commands[name]
  if (!command) throw new ConfigError(name ? `There is no command "${name}".\n\n${usage}` : usage)
  const run = command(settings)
  const config = configured()
  await withDatabase(config, async (url) => {
    await migrate(url)
    const system = await openOrm({ url, role: SYSTEM_ROLE, poolMax: 2, name: 'upbeat-admin' })
    try {
      console.log(await run(system, config))
    } finally {
      await system.close(true)
    }
  })
}

function configured(): Config {
  for (const warning of unknownSettings(process.env)) console.error(warning)
  return readConfig(process.env)
}

/** Resolves the file in the directory of the caller: npm runs this in the directory of the project. */
function fileIn([file, ...more]: string[]): string {
  if (file === undefined) throw new ConfigError(`FILE is missing.\n\n${usage}`)
  refuseMore(more)
  return resolve(process.env.INIT_CWD ?? '', file)
}

function refuseMore([unexpected]: string[]): void {
  if (unexpected !== undefined) throw new ConfigError(`Unexpected argument '${unexpected}'.\n\n${usage}`)
}

function withDatabase(config: Config, work: (url: string) => Promise<void>): Promise<void> {
  return config.DATABASE_URL ? work(config.DATABASE_URL) : withEmbeddedDatabase(config.DATA_DIR, work)
}

function readArguments(args: string[]): { name: string; operands: string[]; settings: Settings } {
  const names = ['name', 'slug', 'organization', 'public-slug', 'page', 'permission', 'role'] as const
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
    const [name = '', ...operands] = positionals
    return { name, operands, settings: values as Settings }
  } catch (error) {
    // Node adds advice for programmers after the first sentence.
    throw new ConfigError(`${reasonOf(error).split('. ')[0]}.\n\n${usage}`)
  }
}

main().catch((error) => {
  console.error(sentenceOf(error))
  process.exit(1)
})

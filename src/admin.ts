import { parseArgs } from 'node:util'
import { commands, type Settings, usage } from './admin-commands.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { reasonOf } from './embedded/errors.ts'
import { withOwnDatabase } from './own-database.ts'
import { SYSTEM_ROLE } from './persistence/entities/columns.ts'
import { migrate } from './persistence/migrate.ts'
import { openOrm } from './persistence/orm.ts'
import { sentenceOf } from './process.ts'

/** `npm run admin`: says what it has done, or in one sentence why not. */
async function main(): Promise<void> {
  const { name, settings } = readArguments(process.argv.slice(2))
  const command = commands[name]
  if (!command) throw new ConfigError(name ? `There is no command "${name}".\n\n${usage}` : usage)
  const run = command(settings)
  const config = readConfig(process.env)
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

function withDatabase(config: Config, work: (url: string) => Promise<void>): Promise<void> {
  return config.DATABASE_URL ? work(config.DATABASE_URL) : withOwnDatabase(config.DATA_DIR, work)
}

function readArguments(args: string[]): { name: string; settings: Settings } {
  const names = ['name', 'slug', 'organization', 'public-slug', 'page', 'permission', 'role'] as const
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
    const [name = '', unexpected] = positionals
    if (unexpected !== undefined) throw new Error(`Unexpected argument '${unexpected}'`)
    return { name, settings: values as Settings }
  } catch (error) {
    // What Node adds to its sentence is advice for programmers.
    throw new ConfigError(`${reasonOf(error).split('. ')[0]}.\n\n${usage}`)
  }
}

main().catch((error) => {
  console.error(sentenceOf(error))
  process.exit(1)
})

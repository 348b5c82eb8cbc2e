import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, ConfigError, readConfig } from './config.ts'
import { openKeyring } from './domain/kernel/keyring.ts'
import { type Level, levels, roleKeys } from './domain/kernel/permissions.ts'
import { sealOf } from './domain/kernel/secrets.ts'
import { foundOrganization, foundPage, issueToken } from './domain/pages/found.ts'
import { adopt } from './embedded/detached.ts'
import { startPostgres } from './embedded/postgres.ts'
import { addEncryptionKey, encryptionKeys } from './encryption-keys.ts'
import { SYSTEM_ROLE } from './persistence/entities/columns.ts'
import { Organization } from './persistence/entities/organization.ts'
import { Page } from './persistence/entities/page.ts'
import { migrate } from './persistence/migrate.ts'
import { type Orm, openOrm } from './persistence/orm.ts'
import { reencryptSecrets } from './persistence/system/secrets.ts'
import { sentenceOf } from './process.ts'

/** What must be possible before any token exists. Everything else is the API's. */
const usage = `Usage: npm run admin -- <command>

  create-organization --name NAME [--slug SLUG]
  create-page         --organization SLUG --name NAME [--slug SLUG] [--public-slug SLUG]
  create-token        --page PUBLIC_SLUG --name NAME [--permission read|write|admin] [--role ROLE]
  rotate-key          encrypts every secret anew under a new key
  migrate             brings the database up to date

It speaks to DATABASE_URL, or else to the database that \`npm start\` runs in DATA_DIR.`

type Values = Record<string, string | undefined>
type Command = (system: Orm, values: Values, config: Config) => Promise<string>

const commands: Record<string, Command> = {
  'create-organization': async (system, values) => {
    const { id, slug } = await foundOrganization(system, required(values, 'name'), new Date(), values.slug)
    return `Organization ${id} (${slug}) is created.`
  },
  'create-page': async (system, values) => {
    const slug = required(values, 'organization')
    const organization = await system.em.fork().findOne(Organization, { slug })
    if (!organization) throw new ConfigError(`There is no organization with the slug "${slug}".`)
    const name = required(values, 'name')
    const { slug: page, 'public-slug': publicSlug } = values
    const made = await foundPage(system, {
      organizationId: organization.id,
      name,
      slug: page,
      publicSlug,
      now: new Date(),
    })
    return `Page ${made.id} (${made.public_slug}) of organization ${organization.id} is created.`
  },
  'create-token': async (system, values) => {
    const public_slug = required(values, 'page')
    const page = await system.em.fork().findOne(Page, { public_slug })
    if (!page) throw new ConfigError(`There is no page with the public slug "${public_slug}".`)
    const permission = oneOf('permission', values.permission ?? 'admin', levels) as Level
    const roleKey = oneOf('role', values.role ?? 'page_admin', roleKeys)
    return issueToken(system, { pageId: page.id, name: required(values, 'name'), permission, roleKey, now: new Date() })
  },
  'rotate-key': async (system, _values, config) => {
    // Keys in the environment are changed there first, with the new one in front.
    const keys = config.ENCRYPTION_KEYS ? await encryptionKeys(config) : await addEncryptionKey(config)
    const ring = openKeyring(keys)
    const count = await reencryptSecrets(system, ring.currentKeyId, (secret) =>
      ring.encrypt(ring.decrypt(secret, sealOf(secret)), sealOf(secret)),
    )
    return `${count} secrets are now under the key ${ring.currentKeyId}. Restart the service to use it for new ones.`
  },
  migrate: async () => 'The database is up to date.',
}

function required(values: Values, name: string): string {
  const value = values[name]?.trim()
  if (!value) throw new ConfigError(`--${name} is missing.\n\n${usage}`)
  return value
}

function oneOf(name: string, value: string, choice: readonly string[]): string {
  if (!choice.includes(value)) throw new ConfigError(`--${name} must be one of ${choice.join(', ')}.`)
  return value
}

/** The database that is named, or our own: as it runs, or started for as long as this takes. */
async function withDatabaseUrl<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  if (config.DATABASE_URL) return work(config.DATABASE_URL)
  const dir = join(config.DATA_DIR, 'postgres')
  const running = adopt(dir, 'postgres') !== undefined
  const server = await startPostgres({ dir, say: console.error })
  try {
    return await work(server.url)
  } finally {
    if (!running) await server.stop()
  }
}

async function main(): Promise<void> {
  const names = ['name', 'slug', 'organization', 'public-slug', 'page', 'permission', 'role'] as const
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  const { positionals, values } = parseArgs({ allowPositionals: true, options })
  const [name = ''] = positionals
  const command = commands[name]
  if (!command) throw new ConfigError(usage)
  const config = readConfig(process.env)
  await withDatabaseUrl(config, async (url) => {
    await migrate(url)
    const system = await openOrm({ url, role: SYSTEM_ROLE, poolMax: 2, name: 'upbeat-admin' })
    try {
      console.log(await command(system, values as Values, config))
    } finally {
      await system.close(true)
    }
  })
}

main().catch((error) => {
  console.error(sentenceOf(error))
  process.exit(1)
})

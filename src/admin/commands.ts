import { type Config, ConfigError } from '../config.ts'
import { openKeyring } from '../domain/kernel/keyring.ts'
import { type Level, levels, roleKeys } from '../domain/kernel/permissions.ts'
import { sealOf } from '../domain/kernel/secrets.ts'
import { createOrganization, createPage, issueToken } from '../domain/pages/provision.ts'
import { PageUpdateRequest } from '../domain/pages/schema.ts'
import { addEncryptionKey, encryptionKeys } from '../local/encryption-keys.ts'
import { Organization } from '../persistence/entities/organization.ts'
import { Page } from '../persistence/entities/page.ts'
import { isUniqueViolation } from '../persistence/failures.ts'
import type { Orm } from '../persistence/orm.ts'
import { reencryptSecrets } from '../persistence/system/secrets.ts'

/** Commands that must work before any token exists. The API has all other operations. */
export const usage = `Usage: npm run admin -- <command>

  create-organization --name NAME [--slug SLUG]
  create-page         --organization SLUG --name NAME [--slug SLUG] [--public-slug SLUG]
  create-token        --page PUBLIC_SLUG --name NAME [--permission read|write|admin] [--role ROLE]
  rotate-key          creates a new key and encrypts all secrets with it
  migrate             brings the database up to date
  backup FILE         copies the database of \`npm start\` to a file, also while the service runs
  restore FILE        replaces the database of \`npm start\` with a backup; stop \`npm start\` first

The commands use DATABASE_URL, or else the database of \`npm start\` in DATA_DIR.`

export type Settings = Record<string, string | undefined>

/** Validates its settings first, before a database is needed. */
type Command = (settings: Settings) => (system: Orm, config: Config) => Promise<string>

export const commands: Record<string, Command> = {
  'create-organization': (settings) => {
    const name = required(settings, 'name')
    const slug = slugIn(settings, 'slug')
    return async (system) => {
      const made = await unlessTaken('An organization', () => createOrganization(system, name, new Date(), slug))
      return `Created the organization "${made.slug}" (${made.id}).`
    }
  },
  'create-page': (settings) => {
    const name = required(settings, 'name')
    const of = required(settings, 'organization')
    const [slug, publicSlug] = [slugIn(settings, 'slug'), slugIn(settings, 'public-slug')]
    return async (system) => {
      const organization = await system.em.fork().findOne(Organization, { slug: of })
      if (!organization) throw new ConfigError(`There is no organization with the slug "${of}".`)
      const page = { organizationId: organization.id, name, slug, publicSlug, now: new Date() }
      const made = await unlessTaken('A page', () => createPage(system, page))
      return `Created the page "${made.public_slug}" (${made.id}) of the organization "${organization.slug}" (${organization.id}).`
    }
  },
  'create-token': (settings) => {
    const name = required(settings, 'name')
    const public_slug = required(settings, 'page')
    const permission = oneOf(settings, 'permission', levels, 'admin') as Level
    const roleKey = oneOf(settings, 'role', roleKeys, 'page_admin')
    return async (system) => {
      const page = await system.em.fork().findOne(Page, { public_slug })
      if (!page) throw new ConfigError(`There is no page with the public slug "${public_slug}".`)
      return issueToken(system, { pageId: page.id, name, permission, roleKey, now: new Date() })
    }
  },
  'rotate-key': () => async (system, config) => {
    // The administrator adds a key to the environment before this command.
    const keys = config.ENCRYPTION_KEYS ? await encryptionKeys(config) : await addEncryptionKey(config)
    const ring = openKeyring(keys)
    const count = await reencryptSecrets(system, ring.currentKeyId, (secret) =>
      ring.encrypt(ring.decrypt(secret, sealOf(secret)), sealOf(secret)),
    )
    return `Encrypted ${count} secrets with the key ${ring.currentKeyId}. Restart the service to use this key for new secrets.`
  },
  migrate: () => async () => 'The database is up to date.',
}

function required(settings: Settings, name: string): string {
  const value = settings[name]?.trim()
  if (!value) throw new ConfigError(`--${name} is missing.\n\n${usage}`)
  return value
}

function slugIn(settings: Settings, name: string): string | undefined {
  const result = PageUpdateRequest.shape.public_slug.safeParse(settings[name])
  if (!result.success) throw new ConfigError(`--${name} ${result.error.issues[0]?.message}.\n\n${usage}`)
  return result.data
}

function oneOf(settings: Settings, name: string, choice: readonly string[], fallback: string): string {
  const value = settings[name] ?? fallback
  if (!choice.includes(value)) throw new ConfigError(`--${name} must be one of ${choice.join(', ')}.\n\n${usage}`)
  return value
}

async function unlessTaken<T>(kind: string, found: () => Promise<T>): Promise<T> {
  try {
    return await found()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new ConfigError(`${kind} with this slug already exists: name another --slug.`)
  }
}

import type { EntityManager } from '@mikro-orm/postgresql'
import type { Context } from '../kernel/context.ts'
import type { Keyring } from '../kernel/keyring.ts'
import { keepSecret, useSecret } from '../kernel/secrets.ts'
import { secretNames } from './fields.ts'
import { pageFields } from './groups/index.ts'

const names = secretNames(pageFields)
const nameOf = (field: string) => `settings: ${field}`

/**
 * Encrypts the secrets of a request. Returns what is stored among the other settings in their place: the version of the
 * settings that set the secret, which is different for each new secret; empty without one.
 */
export async function keepSettingSecrets(
  ctx: Context,
  version: number,
  request: Record<string, unknown>,
): Promise<Record<string, string>> {
  const marks: Record<string, string> = {}
  for (const name of names) {
    const value = request[name] as string | null | undefined
    if (value === undefined) continue
    await keepSecret(ctx, ctx.services.keyring, nameOf(name), value || null)
    marks[name] = value ? `set in version ${version + 1}` : ''
  }
  return marks
}

export const settingSecret = (tx: EntityManager, keyring: Keyring, field: string): Promise<string | null> =>
  useSecret({ tx }, keyring, nameOf(field))

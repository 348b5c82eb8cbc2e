import type { EntityManager } from '@mikro-orm/postgresql'
import { Secret } from '../../persistence/entities/secret.ts'
import { storedSecrets } from '../../persistence/secrets.ts'
import type { Context } from './context.ts'
import type { Keyring } from './keyring.ts'

/** The page and the name are part of the encryption: a ciphertext that was moved to another row cannot be decrypted. */
export const sealOf = (secret: Pick<Secret, 'page_id' | 'name'>) => `page ${secret.page_id}: ${secret.name}`

/** Stores a value under a name of the page; null deletes the value. */
export async function keepSecret(ctx: Context, keyring: Keyring, name: string, plain: string | null): Promise<void> {
  const { tx, page, now } = ctx
  if (plain === null) {
    await tx.nativeDelete(Secret, { name })
    return
  }
  const sealed = keyring.encrypt(plain, sealOf({ page_id: page.id, name }))
  await tx.upsert(
    Secret,
    { page_id: page.id, name, ...sealed, updated_at: now },
    { onConflictFields: ['page_id', 'name'] },
  )
}

export async function useSecret(ctx: Pick<Context, 'tx'>, keyring: Keyring, name: string): Promise<string | null> {
  const secret = await ctx.tx.findOne(Secret, { name })
  return secret ? keyring.decrypt(secret, sealOf(secret)) : null
}

/** The values of several secrets by their names, in one query, without those whose key is not known any more. */
export async function secretsNamed(tx: EntityManager, keyring: Keyring, names: string[]): Promise<Map<string, string>> {
  const secrets = await storedSecrets(tx, names)
  const readable = secrets.filter(({ key_id }) => keyring.holds(key_id))
  return new Map(readable.map((secret) => [secret.name, keyring.decrypt(secret, sealOf(secret))]))
}

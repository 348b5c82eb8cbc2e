import type { EntityManager } from '@mikro-orm/postgresql'
import type { Context } from '../../kernel/context.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import { keepSecret, useSecret } from '../../kernel/secrets.ts'
import { isHidden, mergeSecrets, type Parts, splitSecrets } from './split-secrets-rules.ts'

/** A target is kept in two halves: as it may be shown, and what nobody may read, sealed among the page's secrets. */

export const secretNameOf = (beat: { id: number }) => `beat:${beat.id}`

/** Seals what is secret of a target, and answers with what may be shown of it. */
export async function sealTarget(ctx: Context, name: string, target: object): Promise<Record<string, unknown>> {
  const { shown, secrets } = splitSecrets(target)
  const none = Object.keys(secrets).length === 0
  await keepSecret(ctx, ctx.keyring, name, none ? null : JSON.stringify(secrets))
  return shown
}

/** The whole target again, for those who check it. */
export async function openTarget(
  tx: EntityManager,
  keyring: Keyring,
  name: string,
  shown: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const sealed = await useSecret({ tx }, keyring, name)
  return sealed === null ? shown : mergeSecrets(shown, JSON.parse(sealed) as Parts)
}

/** A target as a request says it, with what was read as hidden standing for what is stored. */
export async function withKnownSecrets(
  ctx: Context,
  name: string,
  said: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (!isHidden(said)) return said
  const sealed = await useSecret(ctx, ctx.keyring, name)
  return sealed === null ? said : mergeSecrets(said, JSON.parse(sealed) as Parts)
}

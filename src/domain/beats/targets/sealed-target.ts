import type { EntityManager } from '@mikro-orm/postgresql'
import type { Context } from '../../kernel/context.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import { keepSecret, useSecret } from '../../kernel/secrets.ts'
import { hasMask, mergeSecrets, type Parts, splitSecrets } from './split-secrets-rules.ts'

/** A target is stored in two parts: the visible part in the beat, and its secrets, sealed among the secrets of the page. */

export const secretNameOf = (beat: { id: number }) => `beat:${beat.id}`

/** Seals the secrets of a target, and returns the visible part. */
export async function sealTarget(ctx: Context, name: string, target: object): Promise<Record<string, unknown>> {
  const { shown, secrets } = splitSecrets(target)
  const none = Object.keys(secrets).length === 0
  await keepSecret(ctx, ctx.services.keyring, name, none ? null : JSON.stringify(secrets))
  return shown
}

/** The whole target with its secrets, for checks. */
export async function openTarget(
  tx: EntityManager,
  keyring: Keyring,
  name: string,
  shown: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const sealed = await useSecret({ tx }, keyring, name)
  return sealed === null ? shown : mergeSecrets(shown, JSON.parse(sealed) as Parts)
}

/** The target of a request, with masks replaced by the stored secrets. */
export async function withKnownSecrets(
  ctx: Context,
  name: string,
  requested: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (!hasMask(requested)) return requested
  const sealed = await useSecret(ctx, ctx.services.keyring, name)
  return sealed === null ? requested : mergeSecrets(requested, JSON.parse(sealed) as Parts)
}

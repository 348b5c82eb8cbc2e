import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Subscriber } from '../../persistence/entities/subscriber.ts'
import type { Context } from '../kernel/context.ts'
import type { Keyring } from '../kernel/keyring.ts'
import { keepSecret, secretsNamed, useSecret } from '../kernel/secrets.ts'

const nameOf = ({ id }: Pick<Subscriber, 'id'>) => `subscriber ${id}`
const previousNameOf = ({ id }: Pick<Subscriber, 'id'>) => `subscriber ${id}, previous`

const OVERLAP_MS = 24 * 60 * 60 * 1000

/** A secret in the format of Standard Webhooks. */
export async function issueSecret(ctx: Context, subscriber: Subscriber): Promise<string> {
  const secret = `whsec_${randomBytes(24).toString('base64')}`
  await keepSecret(ctx, ctx.services.keyring, nameOf(subscriber), secret)
  return secret
}

/** Gives a new secret. The previous one signs for a day, too, so that a receiver can change its secret without a gap. */
export async function rotateSecret(ctx: Context, subscriber: Subscriber): Promise<string> {
  const before = await useSecret(ctx, ctx.services.keyring, nameOf(subscriber))
  await keepSecret(ctx, ctx.services.keyring, previousNameOf(subscriber), before)
  subscriber.previous_secret_until = new Date(ctx.now.getTime() + OVERLAP_MS)
  return issueSecret(ctx, subscriber)
}

export async function forgetSecrets(ctx: Context, subscriber: Subscriber): Promise<void> {
  await keepSecret(ctx, ctx.services.keyring, nameOf(subscriber), null)
  await keepSecret(ctx, ctx.services.keyring, previousNameOf(subscriber), null)
}

/** The secrets that sign messages to webhooks, by the id of the subscriber, the current one first. */
export async function signingSecretsOf(
  tx: EntityManager,
  keyring: Keyring,
  subscribers: Pick<Subscriber, 'id' | 'previous_secret_until'>[],
  now: Date,
): Promise<Map<number, string[]>> {
  const namesOf = ({ id, previous_secret_until: until }: (typeof subscribers)[number]) => [
    nameOf({ id }),
    ...(until && until > now ? [previousNameOf({ id })] : []),
  ]
  if (subscribers.length === 0) return new Map()
  const kept = await secretsNamed(tx, keyring, subscribers.flatMap(namesOf))
  return new Map(subscribers.map((one) => [one.id, namesOf(one).flatMap((name) => kept.get(name) ?? [])]))
}

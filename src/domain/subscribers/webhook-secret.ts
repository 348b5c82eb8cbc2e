import { randomBytes } from 'node:crypto'
import type { Subscriber } from '../../persistence/entities/subscriber.ts'
import type { Context } from '../kernel/context.ts'
import { keepSecret, useSecret } from '../kernel/secrets.ts'

const nameOf = ({ id }: Subscriber) => `subscriber ${id}`
const previousNameOf = ({ id }: Subscriber) => `subscriber ${id}, previous`

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

import type { StoredActor } from '../../persistence/entities/delegation-turn.ts'
import type { Actor, Context } from '../kernel/context.ts'
import { Problem } from '../kernel/errors.ts'
import { reachesAsFar, reachOfToken, type TokenReach } from '../kernel/permissions.ts'

/** The token of a request as a record stores the token. */
export function storedActor(actor: Actor): StoredActor {
  if (actor.kind === 'anonymous') throw new Problem('unauthenticated', 'The agent needs a bearer token.')
  const { name, permission, role_key } = actor
  return { id: actor.kind === 'token' ? actor.id : 0, name, permission, role_key }
}

export const actorFrom = (stored: StoredActor): Actor => ({ kind: 'token', ...stored })

export const reachOf = (actor: Actor): TokenReach => (actor.kind === 'anonymous' ? {} : reachOfToken(actor))

/** Refuses a token that reaches less far than the token of the first request: the answer may show what that token reads. */
export function requireReach({ actor }: Pick<Context, 'actor'>, reach: TokenReach, what: string): void {
  if (actor.kind !== 'anonymous' && reachesAsFar(actor, reach)) return
  throw new Problem('forbidden', `The ${what} belongs to a token with permissions that this token does not have.`)
}

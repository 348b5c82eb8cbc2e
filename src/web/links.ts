import type { Context, Middleware } from 'koa'
import { Problem } from '../domain/kernel/errors.ts'
import type { Services } from '../domain/kernel/services.ts'
import type { Purpose } from '../domain/subscribers/link-rules.ts'
import { readLink } from '../domain/subscribers/links.ts'
import type { ApiState } from './state.ts'

/** Identifies a subscriber by the token of its link. Other parameters, which programs add to links, are ignored. */
export function authenticateLink(services: Services, purpose: Purpose): Middleware<ApiState> {
  return (ctx, next) => {
    const { token } = ctx.query
    ctx.query = {}
    const { link, problem } = readLink(services, typeof token === 'string' ? token : '', purpose, services.clock())
    if (!link) throw invalidLink()
    ctx.state.caller = {
      actor: { kind: 'anonymous', name: `subscriber ${link.subscriberId}`, link },
      pageId: link.pageId,
    }
    if (problem) throw new Problem('link_expired', 'This link has expired.')
    return next()
  }
}

/** The page of the link in a request, once the link is read. */
export const linkedPageId = ({ state }: Context & { state: Partial<ApiState> }): number | undefined =>
  state.caller?.actor.kind === 'anonymous' && state.caller.actor.link ? state.caller.pageId : undefined

function invalidLink(): Problem {
  const message = 'This link is not complete, or was changed. Open the link in the mail again.'
  return new Problem('link_invalid', message, { errors: [{ path: 'token', message: 'is no valid token for this' }] })
}

import type { Context, Middleware } from 'koa'
import type { Services } from '../domain/kernel/services.ts'
import { linkProblem } from '../domain/subscribers/link-problems.ts'
import type { Link, Purpose } from '../domain/subscribers/link-rules.ts'
import { readLink } from '../domain/subscribers/links.ts'
import type { ApiState } from './state.ts'

/** Identifies a subscriber by the token of its link. Other parameters, which programs add to links, are ignored. */
export function authenticateLink(services: Services, purpose: Purpose): Middleware<ApiState> {
  return (ctx, next) => {
    const { token } = ctx.query
    ctx.query = {}
    const { link, problem } = readLink(services, typeof token === 'string' ? token : '', purpose, services.clock())
    if (!link) throw linkProblem('incomplete', { errors: [{ path: 'token', message: 'is no valid token for this' }] })
    ctx.state.caller = {
      actor: { kind: 'anonymous', name: `subscriber ${link.subscriberId}`, link },
      pageId: link.pageId,
    }
    if (problem) throw linkProblem('expired')
    return next()
  }
}

/** The link in a request, once the link is read. */
export const linkOf = ({ state }: Context & { state: Partial<ApiState> }): Link | undefined =>
  state.caller?.actor.kind === 'anonymous' ? state.caller.actor.link : undefined

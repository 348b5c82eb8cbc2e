import type { Context } from 'koa'
import type { z } from 'zod'
import type { PageRef } from '../../domain/kernel/context.ts'
import { notFound, Problem } from '../../domain/kernel/errors.ts'
import { execute, type Outcome } from '../../domain/kernel/execute.ts'
import type { Services } from '../../domain/kernel/services.ts'
import { wrongCode } from '../../domain/views/access.ts'
import { provedBy } from '../../domain/views/codes.ts'
import { getViewRules, type ViewRules } from '../../domain/views/reads.ts'
import { isOffered, isViewCode, mayRead } from '../../domain/views/rules.ts'
import type { PublicReads } from '../public-reads.ts'
import type { ApiState } from '../state.ts'
import { valuesOf } from './cookies.ts'

type RequestContext = Context & { state: ApiState }
type Rules = z.output<typeof ViewRules>

const nameOf = (viewId: number) => `upbeat_view_${viewId}`

/** Whether the reader may read the view. Answers about a view for certain readers are kept apart for each side. */
export async function readsView(
  { services, reads }: { services: Services; reads: PublicReads },
  ctx: RequestContext,
  page: PageRef,
  code: string,
): Promise<boolean> {
  if (!isViewCode(code)) throw notFound('view')
  const { requestId, caller } = ctx.state
  const { actor, pageId } = caller!
  const { body } = await reads.read(page.id, `view ${code.toLowerCase()}`, async () => {
    const { output } = await execute(services, getViewRules, { page, actor, requestId, input: { view_code: code } })
    return { body: JSON.stringify(output) }
  })
  const rules = JSON.parse(body.plain.toString()) as Rules
  const expires_at = rules.expires_at === null ? null : new Date(rules.expires_at)
  if (!isOffered({ enabled: rules.enabled, expires_at }, services.clock())) throw notFound('view')
  if (rules.access_mode === 'public') return true
  const isReader = pageId === page.id || hasProof(services, ctx, rules)
  ctx.state.viewReader = isReader ? 'inside' : 'outside'
  return isReader
}

const hasProof = ({ keyring, clock }: Services, ctx: Context, rules: Rules): boolean =>
  valuesOf(ctx.get('Cookie'), nameOf(rules.id))
    .map((proof) => provedBy(keyring, rules.id, proof, clock()))
    .some((email) => email !== undefined && mayRead(rules, email))

export const viewNeedsCode = () =>
  new Problem('viewer_auth_required', 'This view is for certain readers: ask for a code by its `access-requests`.')

/** Admits the readers of the view in the path. */
export async function admitToView(
  deps: { services: Services; reads: PublicReads },
  ctx: RequestContext & { params: Record<string, string> },
  page: PageRef,
): Promise<void> {
  if (!(await readsView(deps, ctx, page, ctx.params.view_code ?? ''))) throw viewNeedsCode()
}

interface Proved {
  message: string
  expires_at?: string
  view_id?: number
  proof?: string
}

/** Keeps the proof of an address in a cookie; the answer itself does not have the proof. */
export function keepProof(services: Pick<Services, 'clock'>, ctx: RequestContext, outcome: Outcome): Outcome {
  const { message, expires_at, view_id, proof } = outcome.output as Proved
  if (proof === undefined) throw wrongCode()
  const parts = [`${nameOf(view_id!)}=${proof}`, `Path=${ctx.state.base || '/'}`]
  const expires = `Expires=${new Date(expires_at ?? services.clock()).toUTCString()}`
  ctx.append(
    'Set-Cookie',
    [...parts, expires, 'HttpOnly', 'SameSite=Lax', ...(ctx.secure ? ['Secure'] : [])].join('; '),
  )
  return { ...outcome, output: { message, expires_at } }
}

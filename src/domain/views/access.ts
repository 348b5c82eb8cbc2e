import { LockMode } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { CustomView } from '../../persistence/entities/custom-view.ts'
import { ViewAccessRequest } from '../../persistence/entities/view-access-request.ts'
import type { Context } from '../kernel/context.ts'
import { notFound, Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { email, message, momentOut, shownOnce } from '../kernel/schema.ts'
import { addNotification } from '../notifications/announce.ts'
import { readIn } from '../translations/schema.ts'
import { codeOf, proofOf } from './codes.ts'
import { viewByCode } from './references.ts'
import { CODE_MS, isOffered, MOST_CODES, MOST_OPEN_CODES, MOST_TRIES, mayRead } from './rules.ts'

const common = { area: 'audience', permission: 'public', changes: true, affectsPage: false } as const
const SESSION_MS = 7 * 24 * 60 * 60 * 1000

export const viewCode = { view_code: z.string().max(60).describe('The short code or the alias') }

export async function offeredView({ tx, now }: Context, code: string) {
  const view = await viewByCode(tx, code)
  if (!view || !isOffered(view, now)) throw notFound('view')
  return view
}

const addressed = (address: string) => address.trim().toLowerCase()

export const requestViewAccess = operation({
  ...common,
  name: 'views.access_request',
  makes: 'view access request',
  summary: 'Ask for a code to read a view',
  description:
    'The answer is the same for every address. An address that the view allows gets a mail with six digits, which work for ten minutes and five attempts.',
  input: z.strictObject({ ...viewCode, email: email(), ...readIn }),
  output: message,
  run: async (ctx, { view_code, email: given, locale }) => {
    const { tx, page, now } = ctx
    const view = await offeredView(ctx, view_code)
    const address = addressed(given)
    ctx.existing()
    const answer = { message: 'If this address may read the view, a mail with a code is on its way.' }
    if (view.access_mode === 'public' || !mayRead(view, address)) return answer
    await tx.nativeDelete(ViewAccessRequest, { view_id: view.id, expires_at: { $lt: now } })
    // Concurrent requests wait for each other.
    await tx.findOneOrFail(CustomView, { id: view.id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
    const open = { view_id: view.id, email: address }
    const requests = await tx.find(ViewAccessRequest, open)
    const usable = requests.filter(({ tries }) => tries < MOST_TRIES)
    if (usable.length >= MOST_OPEN_CODES || requests.length >= MOST_CODES) return answer
    const expires_at = new Date(now.getTime() + CODE_MS)
    const request = tx.create(ViewAccessRequest, {
      ...{ page_id: page.id, ...open, locale: locale ?? null, tries: 0, expires_at, created_at: now },
    })
    await tx.flush()
    addNotification(ctx, {
      ...{ key: 'view.access_code', kind: 'view', id: view.id, natural: `access:${request.id}` },
      data: { request_id: request.id, ...(locale === undefined ? {} : { locale }) },
    })
    return answer
  },
})

export const proveViewAccess = operation({
  ...common,
  name: 'views.access',
  makes: 'view access',
  summary: 'Prove an email address to a view by the code of the mail',
  description: 'The answer sets a cookie, which works for seven days while the view allows the address.',
  input: z.strictObject({
    ...viewCode,
    email: email(),
    code: z.string().regex(/^\d{6}$/, 'must have six digits'),
  }),
  output: z.strictObject({
    message: z.string(),
    expires_at: momentOut().optional(),
    view_id: z.int().optional(),
    proof: shownOnce(z.string().optional()),
  }),
  run: async (ctx, { view_code, email: given, code }) => {
    const { tx, now, services } = ctx
    const view = await offeredView(ctx, view_code)
    const address = addressed(given)
    ctx.existing()
    const requests = await tx.find(
      ViewAccessRequest,
      { view_id: view.id, email: address, expires_at: { $gt: now }, tries: { $lt: MOST_TRIES } },
      { orderBy: { id: 'desc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
    )
    const right = requests.find(({ id }) => codeOf(services.keyring, id) === code)
    if (!right || !mayRead(view, address)) {
      for (const request of requests) request.tries += 1
      return { message: WRONG }
    }
    for (const request of requests) tx.remove(request)
    const until = new Date(now.getTime() + SESSION_MS)
    return {
      message: 'You may read the view.',
      expires_at: until.toISOString(),
      view_id: view.id,
      proof: proofOf(services.keyring, view.id, address, until),
    }
  },
})

const WRONG = 'The code is wrong or has expired.'

/** Thrown after the commit, which counts the attempt. */
export const wrongCode = () => new Problem('viewer_auth_required', WRONG)

import {
  changeSubscribers,
  deletePublicSubscriptions,
  insertSubscribers,
  insertSubscriptions,
  lockByEmail,
  type PublicSubscription,
  publicSubscriptions,
  type StoredSubscriber,
} from '../../../persistence/subscribers.ts'
import type { Context } from '../../kernel/context.ts'
import { announceConfirmations } from '../confirmation.ts'
import { newRow } from '../new-subscriber.ts'
import { defaultKinds } from '../preferences.ts'
import type { Outcome } from './import.ts'
import { type ImportedLine, refusals } from './import-rules.ts'

/** Stores lines with a few statements for all of them, each line with its own outcome. */
export async function storeLines(ctx: Context, lines: ImportedLine[], confirmed: boolean): Promise<Outcome[]> {
  const stored = await lockByEmail(
    ctx.tx,
    lines.map(({ address }) => address),
  )
  const storedAt = new Map(stored.map((one) => [one.address, one]))
  const fresh = lines.filter(({ address }) => !storedAt.has(address))
  const known = lines.flatMap((line) => {
    const one = storedAt.get(line.address)
    return one ? [{ line, stored: one }] : []
  })
  return [...(await create(ctx, fresh, confirmed)), ...(await update(ctx, known, confirmed))]
}

async function create(ctx: Context, lines: ImportedLine[], confirmed: boolean): Promise<Outcome[]> {
  const common = { channel: 'email', source: 'import', time_zone: null, frequency: 'immediate', confirmed } as const
  const asked = confirmed ? {} : { confirmation_number: 1, confirmation_sent_at: ctx.now }
  const made = await insertSubscribers(
    ctx.tx,
    lines.map(({ email, locale = null }) => ({ ...newRow(ctx, { ...common, address: email, locale }), ...asked })),
  )
  const lineAt = new Map(lines.map((line) => [line.address, line]))
  await insertSubscriptions(
    ctx.tx,
    made.map(({ id, address }) => rowOf(ctx, id, wanted(lineAt.get(address)!, undefined))),
  )
  const ids = made.map(({ id }) => id)
  if (!confirmed) announceConfirmations(ctx, ids)
  const message = confirmed ? 'The subscriber is active.' : 'A mail asks the person to confirm.'
  return lines.map(({ line }) => ({ line, outcome: 'created' as const, message }))
}

interface Pair {
  line: ImportedLine
  stored: StoredSubscriber
}

async function update(ctx: Context, pairs: Pair[], confirmed: boolean): Promise<Outcome[]> {
  const open = pairs.filter(({ stored: { state } }) => !(state in refusals))
  const before = Map.groupBy(
    await publicSubscriptions(
      ctx.tx,
      open.map(({ stored }) => stored.id),
    ),
    ({ subscriber_id }) => subscriber_id,
  )
  const changes = open.flatMap((pair) => changeOf(pair, before.get(pair.stored.id) ?? [], confirmed) ?? [])
  await changeSubscribers(ctx.tx, changes, ctx.now)
  const replaced = changes.filter(({ scope }) => scope)
  await deletePublicSubscriptions(
    ctx.tx,
    replaced.map(({ id }) => id),
  )
  await insertSubscriptions(
    ctx.tx,
    replaced.map(({ id, scope }) => rowOf(ctx, id, scope!)),
  )
  const changed = new Set(changes.map(({ id }) => id))
  return pairs.map(({ line: { line }, stored: { id, state } }) => {
    const refusal = refusals[state as keyof typeof refusals]
    if (refusal) return { line, outcome: 'skipped', message: refusal }
    if (changed.has(id)) return { line, outcome: 'updated', message: `The subscriber ${id} was changed.` }
    return { line, outcome: 'skipped', message: `The subscriber ${id} is as the line says.` }
  })
}

type Scope = Pick<PublicSubscription, 'scope_kind' | 'items' | 'view_id' | 'event_kinds' | 'enabled'>

/** What a line changes of a stored subscriber; undefined for nothing. */
function changeOf({ line, stored }: Pair, before: PublicSubscription[], confirmed: boolean) {
  const locale = line.locale ?? stored.locale
  const confirms = confirmed && stored.state === 'pending'
  const [only] = before
  const asks = line.items !== undefined || line.kinds !== undefined
  const scope = asks ? wanted(line, only) : undefined
  const isNew = scope && (before.length !== 1 || textOf(scope) !== textOf(only!))
  if (locale === stored.locale && !confirms && !isNew) return undefined
  return { id: stored.id, locale, confirmed: confirms, ...(isNew ? { scope } : {}) }
}

/** The scope of a line: an empty cell leaves what is stored, or the default. */
function wanted({ items, kinds }: ImportedLine, stored: Scope | undefined): Scope {
  return {
    scope_kind: items ? 'items' : (stored?.scope_kind ?? 'page'),
    items: items ?? stored?.items ?? [],
    view_id: items ? null : (stored?.view_id ?? null),
    event_kinds: kinds ?? stored?.event_kinds ?? defaultKinds,
    enabled: true,
  }
}

const textOf = ({ scope_kind, items, view_id, event_kinds, enabled }: Scope) =>
  JSON.stringify([scope_kind, items.toSorted(), view_id, event_kinds.toSorted(), enabled])

const rowOf = ({ pageId, now }: Context, subscriber_id: number, scope: Scope) => ({
  ...{ page_id: pageId, subscriber_id, ...scope, internal: false },
  ...{ created_at: now, updated_at: now },
})

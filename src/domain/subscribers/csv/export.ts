import { z } from 'zod'
import { Subscriber } from '../../../persistence/entities/subscriber.ts'
import { Subscription } from '../../../persistence/entities/subscription.ts'
import { operation } from '../../kernel/operation.ts'
import { cursorKeys, decodeCursor, pageOf } from '../../kernel/paging.ts'
import { iso } from '../../tokens/presenter.ts'
import { csvLine, exportColumns } from './cell-rules.ts'

const AT_ONCE = 200

export const exportSubscribers = operation({
  name: 'subscribers.export',
  area: 'audience',
  permission: 'admin',
  changes: false,
  summary: 'Export all subscribers as CSV',
  description:
    '`scope`, `items`, `view_ids` and `event_kinds` are of all enabled subscriptions, joined by `;`. `scope` is `page` for the whole page, `items`, `view`, or empty for no subscription. A cell that a spreadsheet would take for a formula begins with an apostrophe.',
  input: z.strictObject({ cursor: z.string().max(500).optional() }),
  output: z.strictObject({ csv: z.string(), next_cursor: z.string().optional() }),
  run: async ({ tx }, { cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.id]))
    const behind = after ? { id: { $gt: after[0] } } : {}
    const rows = await tx.find(Subscriber, behind, { orderBy: { id: 'asc' }, limit: AT_ONCE + 1 })
    const page = pageOf(rows, AT_ONCE, ({ id }) => [id])
    const ids = page.rows.map(({ id }) => id)
    const subscriptions = await tx.find(Subscription, { subscriber_id: { $in: ids }, enabled: true })
    const of = Map.groupBy(subscriptions, ({ subscriber_id }) => subscriber_id)
    const lines = page.rows.map((one) => csvLine(cellsOf(one, of.get(one.id) ?? [])))
    return { csv: (after ? '' : csvLine(exportColumns)) + lines.join(''), next_cursor: page.next_cursor }
  },
})

function cellsOf(one: Subscriber, subscriptions: Subscription[]) {
  const isWhole = subscriptions.some(({ scope_kind }) => scope_kind === 'page')
  const scopes = isWhole ? ['page'] : subscriptions.map(({ scope_kind }) => scope_kind)
  const items = isWhole ? [] : subscriptions.flatMap((each) => each.items)
  const views = isWhole ? [] : subscriptions.flatMap(({ view_id }) => view_id ?? [])
  const kinds = subscriptions.flatMap(({ event_kinds }) => event_kinds)
  return [
    ...[one.id, one.channel],
    ...(one.channel === 'email' ? [one.shown_address, ''] : ['', one.shown_address]),
    ...[one.state, one.locale, one.time_zone, one.frequency, one.source],
    ...[scopes, items, views, kinds].map((list) => [...new Set<string | number>(list)].join(';')),
    ...[iso(one.confirmed_at), iso(one.unsubscribed_at), iso(one.suppressed_at), one.suppression_reason],
    ...[one.bounce_count, one.version, one.created_at.toISOString(), one.updated_at.toISOString()],
  ]
}

import type { EntityManager } from '@mikro-orm/postgresql'
import { componentRows } from '../../persistence/components.ts'
import type { Content } from '../../persistence/entities/notification-event.ts'
import { scopesOfViewSubscribers, type ViewScope } from '../../persistence/view-subscriptions.ts'
import { withBelow } from '../readers/narrow-rules.ts'
import { narrowedContent } from './narrow-content-rules.ts'
import { reachedIn } from './reached-rules.ts'

/** The content of a notification for one subscriber. */
export type Narrowing = (content: Content, subscriberId: number | null) => Content

/** Who has subscribed to views alone reads of no other items. */
export async function narrowingFor(tx: EntityManager, subscribers: number[]): Promise<Narrowing> {
  const scopes = subscribers.length > 0 ? await scopesOfViewSubscribers(tx, subscribers) : []
  if (scopes.length === 0) return (content) => content
  const rows = await componentRows(tx)
  const itemsOf = ({ items, include_descendants }: Pick<ViewScope, 'items' | 'include_descendants'>) =>
    new Set(include_descendants ? withBelow(rows, items) : items)
  const seen = new Map(
    [...Map.groupBy(scopes, ({ subscriber_id }) => subscriber_id)].map(([id, own]) => {
      const isWhole = own.some(({ scope_kind }) => scope_kind === 'page')
      return [id, isWhole ? null : own.map(({ view_code, ...one }) => ({ view_code, items: itemsOf(one) }))] as const
    }),
  )
  return (content, subscriberId) => {
    const seenBy = subscriberId === null ? undefined : seen.get(subscriberId)
    return seenBy ? narrowedTo(content, seenBy) : content
  }
}

interface Seen {
  view_code: string | null
  items: ReadonlySet<number>
}

/** A mail leads to the first view that shows one of the items. */
function narrowedTo(content: Content, seen: Seen[]): Content {
  const view = seen.find(({ view_code, items }) => view_code !== null && reachedIn(content).some((id) => items.has(id)))
  const narrowed = narrowedContent(content, new Set(seen.flatMap(({ items }) => [...items])))
  return view?.view_code ? { ...narrowed, view_code: view.view_code } : narrowed
}

import type { EntityManager } from '@mikro-orm/postgresql'
import { componentRows } from '../../persistence/components.ts'
import type { Content } from '../../persistence/entities/notification-event.ts'
import { scopesOfViewSubscribers } from '../../persistence/view-subscriptions.ts'
import { withBelow } from '../readers/narrow-rules.ts'
import { narrowedContent } from './narrow-content-rules.ts'

/** The content of a notification for one subscriber. */
export type Narrowing = (content: Content, subscriberId: number | null) => Content

/** Who has subscribed to views alone reads of no other items. */
export async function narrowingFor(tx: EntityManager, subscribers: number[]): Promise<Narrowing> {
  const scopes = subscribers.length > 0 ? await scopesOfViewSubscribers(tx, subscribers) : []
  if (scopes.length === 0) return (content) => content
  const rows = await componentRows(tx)
  const seen = new Map(
    [...Map.groupBy(scopes, ({ subscriber_id }) => subscriber_id)].map(([id, own]) => {
      const isWhole = own.some(({ scope_kind }) => scope_kind === 'page')
      const items = own.flatMap((one) => (one.include_descendants ? [...withBelow(rows, one.items)] : one.items))
      return [id, isWhole ? null : new Set(items)] as const
    }),
  )
  return (content, subscriberId) => {
    const items = subscriberId === null ? undefined : seen.get(subscriberId)
    return items ? narrowedContent(content, items) : content
  }
}

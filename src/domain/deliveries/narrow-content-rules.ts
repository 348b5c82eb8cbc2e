import type { Content } from '../../persistence/entities/notification-event.ts'
import { reachedIn } from './reached-rules.ts'

/** The content of a notification without other items than these. Pure: no clock, no database. */
export function narrowedContent(content: Content, items: ReadonlySet<number>): Content {
  const { affected_items_freetext: _outside, ...record } = content.record
  const inside = content.items.filter(({ id }) => items.has(id)).map(({ hierarchy_path: _path, ...item }) => item)
  const { names } = content.translations
  const inNames = Object.entries(names?.items ?? {}).filter(([id]) => items.has(Number(id)))
  return {
    ...content,
    record: 'affected_items' in record ? { ...record, affected_items: inside } : record,
    items: inside as Content['items'],
    reached: reachedIn(content).filter((id) => items.has(id)),
    scope: content.scope.filter((id) => items.has(id)),
    translations: {
      ...content.translations,
      ...(names ? { names: { ...names, items: Object.fromEntries(inNames) } } : {}),
    },
  }
}

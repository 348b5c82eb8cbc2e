import { invalid } from '../../domain/kernel/errors.ts'
import type { Labels } from '../../languages/labels.ts'

/** The names of the fields of the form. Each subscription has its own fields, by its position. */
export const fieldNames = {
  locale: 'locale',
  time_zone: 'time_zone',
  frequency: 'frequency',
  parts: 'parts',
  id: (part: number) => `id.${part}`,
  scope: (part: number) => `scope.${part}`,
  items: (part: number) => `items.${part}`,
  view: (part: number) => `view.${part}`,
  kinds: (part: number) => `kinds.${part}`,
  enabled: (part: number) => `enabled.${part}`,
}

const MOST_PARTS = 50

/** The form as the body of the API. */
export function readPreferences(fields: URLSearchParams, labels: Labels): Record<string, unknown> {
  const chosen = (name: string) => fields.get(name) || null
  const count = Number(fields.get(fieldNames.parts) ?? 0)
  const parts = Number.isInteger(count) ? Math.min(Math.max(count, 0), MOST_PARTS) : 0
  return {
    locale: chosen(fieldNames.locale),
    time_zone: chosen(fieldNames.time_zone),
    ...(fields.has(fieldNames.frequency) ? { frequency: fields.get(fieldNames.frequency) } : {}),
    ...(parts > 0 ? { subscriptions: Array.from({ length: parts }, (_, part) => readPart(fields, part, labels)) } : {}),
  }
}

function readPart(fields: URLSearchParams, part: number, { text }: Labels) {
  const id = fields.get(fieldNames.id(part))
  const kinds = fields.getAll(fieldNames.kinds(part))
  const items = fields.getAll(fieldNames.items(part)).map((item) => ({ id: Number(item) }))
  const kind = fields.get(fieldNames.scope(part))
  const view = Number(fields.get(fieldNames.view(part)))
  const isForItems = kind === 'items'
  if (kinds.length === 0) throw invalid([{ path: '', message: text('subscription.manage.no_kinds') }])
  if (isForItems && items.length === 0) throw invalid([{ path: '', message: text('subscription.manage.no_items') }])
  return {
    ...(id ? { id: Number(id) } : {}),
    scope: isForItems ? { kind, items } : kind === 'view' ? { kind, view_id: view } : { kind: 'page' },
    event_kinds: kinds,
    enabled: fields.has(fieldNames.enabled(part)),
  }
}

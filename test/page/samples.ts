import type { PageView } from '../../src/domain/pages/views/home.ts'
import { filled } from '../../src/domain/settings/schema.ts'

/** What the tables of cases are made of. */

export const NOW = '2026-03-02T14:05:09.120Z'

type Item = PageView['items'][number]
type Incident = PageView['open_incidents'][number]
type Maintenance = PageView['active_maintenances'][number]
type Update = NonNullable<Incident['updates']>[number]

const names = { operational: '#2f9e44', maintenance: '#1c7ed6', degraded: '#e8a500', major_outage: '#c92a2a' }

export const types: PageView['status_types'] = Object.entries(names).map(([key, color], index) => ({
  key,
  name: key.charAt(0).toUpperCase() + key.slice(1).replace('_', ' '),
  icon: '',
  color,
  is_operational: index === 0,
  display_order: index + 1,
}))

/** `Shop > Checkout > Payments: major_outage`, a line for each item; the path of its parent is looked up by its words. */
export function itemsOf(...lines: string[]): Item[] {
  const ids = new Map<string, number>()
  return lines.map((line, index) => {
    const [path = '', status = 'operational'] = line.split(': ')
    const words = path.split(' > ')
    ids.set(path, index + 1)
    return {
      id: index + 1,
      parent_id: ids.get(words.slice(0, -1).join(' > ')),
      name: words.at(-1)!,
      status,
      depth: words.length,
      display_order: index,
    }
  })
}

export function incident(fields: Partial<Incident> = {}): Incident {
  return {
    id: 7,
    status: 'degraded',
    title: 'Searches are slow',
    description: '',
    started_at: '2026-03-02T10:00:00.000Z',
    created_at: '2026-03-02T10:00:00.000Z',
    updated_at: '2026-03-02T10:00:00.000Z',
    version: 1,
    ...fields,
  }
}

export function maintenance(fields: Partial<Maintenance> = {}): Maintenance {
  return {
    id: 3,
    status: 'scheduled',
    title: 'Upgrade',
    description: '',
    scheduled_start_time: '2026-03-02T15:00:00.000Z',
    scheduled_end_time: '2026-03-02T16:00:00.000Z',
    created_at: '2026-03-01T10:00:00.000Z',
    updated_at: '2026-03-01T10:00:00.000Z',
    version: 1,
    ...fields,
  }
}

export function update(id: number, fields: Partial<Update> = {}): Update {
  return {
    id,
    message: `Message ${id}.`,
    status: 'degraded',
    previous_status: 'degraded',
    is_resolution: false,
    created_at: '2026-03-02T11:00:00.000Z',
    updated_at: '2026-03-02T11:00:00.000Z',
    ...fields,
  }
}

export function stage(name: string): NonNullable<Incident['lifecycle_stage']> {
  return {
    id: 1,
    name,
    description: '',
    color: '#000000',
    display_order: 1,
    is_default: true,
    archived: false,
    version: 1,
  }
}

export function affected(...items: Item[]): NonNullable<Incident['affected_items']> {
  return items.map(({ id, name, depth, status }) => ({ id, name, slug: `item-${id}`, depth, status }))
}

export function view(fields: Partial<PageView> = {}): PageView {
  return {
    name: 'Acme',
    slug: 'acme',
    page_slug: 'acme',
    language: 'en',
    languages: [],
    time_zone: 'UTC',
    settings: filled({}),
    history: null,
    happened: { incidents: [], maintenances: [] },
    metrics: [],
    original_language: 'en',
    translated: {},
    feeds: ['rss', 'atom'],
    vocabulary: [],
    date_locale: 'en-GB',
    generated_at: NOW,
    status_types: types,
    items: [],
    open_incidents: [],
    active_maintenances: [],
    upcoming_maintenances: [],
    open_total: fields.open_incidents?.length ?? 0,
    resolved_incidents: [],
    ...fields,
  }
}

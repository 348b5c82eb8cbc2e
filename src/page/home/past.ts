import type { PageView } from '../../domain/pages/views/home.ts'
import { html, type Markup } from '../markup.ts'
import type { Incident, RecordContext } from '../records/about.ts'
import { renderFolded } from '../records/incidents.ts'
import { dateIn, dayInWords, monthInWords } from '../site/times.ts'
import { groupedBy } from './rules.ts'

/** The incidents of the last two weeks in the groups of the settings, and the way to all others. */
export function renderPast({ resolved_incidents: incidents, settings }: PageView, context: RecordContext): Markup {
  const { text, link } = context
  const grouping = settings.homepage_default_incident_group_by
  const groups = groupedBy(incidents, (incident) => keysOf[grouping](incident, context))
  const list = groups.map(
    ([key, group]) =>
      html`<h3 class="when-of">${headingOf(grouping, key, group, context)}</h3>${group.map((incident) => renderFolded(incident, context))}`,
  )
  return html`
    ${incidents.length > 0 ? list : html`<p class="card none">${text('page.past.none')}</p>`}
    <p class="about more"><a href="${link('/history')}">${text('page.past.all')}</a></p>
  `
}

type Grouping = 'month' | 'day' | 'item'

const NO_ITEM = ''

const keysOf: Record<Grouping, (incident: Incident, context: RecordContext) => string[]> = {
  month: ({ started_at }, { reading }) => [dateIn(started_at ?? reading.now, reading).slice(0, 7)],
  day: ({ started_at }, { reading }) => [dateIn(started_at ?? reading.now, reading)],
  item: ({ affected_items = [] }, { label }) => (affected_items.length > 0 ? affected_items.map(label) : [NO_ITEM]),
}

function headingOf(grouping: Grouping, key: string, group: Incident[], context: RecordContext) {
  const { reading, text, languages, label } = context
  if (grouping === 'month') return monthInWords(key, reading)
  if (grouping === 'day') return dayInWords(key, reading)
  const item = group[0]?.affected_items?.find((one) => label(one) === key)
  return item ? html`<bdi${languages.of('item', item.id, 'name')}>${key}</bdi>` : text('page.past.no_item')
}

import { icon } from '../icons.ts'
import { html, type Markup } from '../markup.ts'
import { endElement, timeElement } from '../site/times.ts'
import { detailsLink } from './incidents.ts'
import { about, type Maintenance, type RecordContext, timeline } from './timeline.ts'

export function renderMaintenance(maintenance: Maintenance, context: RecordContext): Markup {
  const { id, status, title, updates = [] } = maintenance
  const seen = context.look(status)
  const { languages } = context
  return html`<article class="card incident${status === 'in_progress' && ` open ${seen.className}`}" id="maintenance-${id}">
    <h3 dir="auto"${languages.of('maintenance', id, 'title')}>${title}</h3>
    ${maintenanceFacts(maintenance, context)}
    ${about('maintenance', maintenance, context)}
    ${timeline('maintenance', updates, context)}
    ${detailsLink(`/maintenances/${id}`, context)}
  </article>`
}

/** A maintenance that is over, or in a list of many: what happened is folded. */
export function renderMaintenanceRow(maintenance: Maintenance, context: RecordContext): Markup {
  const { id, title, updates = [] } = maintenance
  return html`<article class="card incident" id="maintenance-${id}">
    <h3 dir="auto"${context.languages.of('maintenance', id, 'title')}>${title}</h3>
    ${maintenanceFacts(maintenance, context)}
    <details class="more">
      <summary><span class="fold">${context.text('page.incident.what_happened')}</span></summary>
      ${about('maintenance', maintenance, context)}
      ${timeline('maintenance', updates, context)}
      ${detailsLink(`/maintenances/${id}`, context)}
    </details>
  </article>`
}

export function maintenanceFacts(maintenance: Maintenance, context: RecordContext): Markup {
  const { status, lifecycle_stage } = maintenance
  const seen = context.look(status)
  const name = lifecycle_stage?.name ?? seen.name
  return html`<p class="facts">
    <span class="mark ${seen.className}">${icon(seen)}<bdi${context.languages.ofVocabulary(name)}>${name}</bdi></span>
    ${window(maintenance, context)}
  </p>`
}

/** `From 22 November at 10:00 UTC to 11:00 UTC`, or only one of the times. */
function window(maintenance: Maintenance, { reading, text }: RecordContext): Markup | undefined {
  const { status, scheduled_start_time, scheduled_end_time, started_at, ended_at } = maintenance
  const from = (status === 'scheduled' ? undefined : started_at) ?? scheduled_start_time
  const until = ended_at ?? scheduled_end_time
  const start = timeElement(from, reading)
  const end = until && endElement(until, from ?? undefined, reading)
  if (!start && !end) return undefined
  return html`<span>${start && html`${text('page.maintenance.from')} ${start}`} ${end && html`${text(start ? 'page.maintenance.to' : 'page.maintenance.until')} ${end}`}</span>`
}

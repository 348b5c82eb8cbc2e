import { shownTimes } from '../../domain/maintenances/shown-times-rules.ts'
import { icon } from '../icons.ts'
import { html, type Markup } from '../markup.ts'
import { endElement, isSameDay, timeElement } from '../site/times.ts'
import { about, type Maintenance, type RecordContext } from './about.ts'
import { detailsLink, foldedCard, foldedLine, heading } from './folded.ts'
import { timeline } from './timeline.ts'

export function renderMaintenance(maintenance: Maintenance, context: RecordContext): Markup {
  const { id, status, series_id, updates = [] } = maintenance
  return html`<article class="card incident${isInProgress(maintenance) && ` open ${context.look(status).className}`}" id="maintenance-${id}">
    ${heading('maintenance', maintenance, context)}
    ${maintenanceFacts(maintenance, context)}
    ${status === 'scheduled' && series_id !== undefined && html`<p class="about soft">${context.text('page.maintenance.next')}</p>`}
    ${about('maintenance', maintenance, context)}
    ${timeline('maintenance', updates, context)}
    ${detailsLink('maintenance', maintenance, context)}
  </article>`
}

const isInProgress = ({ status }: Maintenance) => status === 'in_progress'

/** A maintenance in a list of many: what happened is folded. */
export function renderMaintenanceFolded(record: Maintenance, context: RecordContext): Markup {
  const facts = maintenanceFacts(record, context)
  return foldedCard({ kind: 'maintenance', record, facts, isOpen: isInProgress(record) }, context)
}

/** A maintenance in progress as a line. */
export const renderMaintenanceLine = (record: Maintenance, context: RecordContext): Markup =>
  foldedLine({ kind: 'maintenance', record, facts: maintenanceFacts(record, context, true) }, context)

export function maintenanceFacts(maintenance: Maintenance, context: RecordContext, brief = false): Markup {
  const { status, lifecycle_stage } = maintenance
  const seen = context.look(status)
  const name = lifecycle_stage?.name ?? seen.name
  return html`<p class="facts">
    <span class="mark ${seen.className}">${icon(seen)}<bdi${context.languages.ofVocabulary(name)}>${name}</bdi></span>
    ${!brief && window(maintenance, context)}
  </p>`
}

/** `From 22 November at 10:00 UTC to 11:00 UTC`, or only one of the times. */
function window(maintenance: Maintenance, { reading, text }: RecordContext): Markup | undefined {
  const { from, until } = shownTimes(maintenance)
  const start = timeElement(from, reading)
  const end = until && endElement(until, from, reading)
  if (!start && !end) return undefined
  const isTime = until && isSameDay(until, from, reading)
  const to = start ? (isTime ? 'page.maintenance.to_time' : 'page.maintenance.to') : 'page.maintenance.until'
  return html`<span>${start && html`${text('page.maintenance.from')} ${start}`} ${end && html`${text(to)} ${end}`}</span>`
}

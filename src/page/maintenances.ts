import type { PageView } from '../domain/pages/views/home.ts'
import { icon } from './icons.ts'
import { html, type Markup } from './markup.ts'
import { about, type RenderContext, timeline } from './timeline.ts'
import { timeElement } from './times.ts'

type Maintenance = PageView['active_maintenances'][number]

export function renderMaintenance(maintenance: Maintenance, context: RenderContext): Markup {
  const { id, status, title, lifecycle_stage, updates = [] } = maintenance
  const seen = context.look(status)
  const name = lifecycle_stage?.name ?? seen.name
  const { languages } = context
  return html`<article class="card incident ${status === 'in_progress' && `open ${seen.className}`}" id="maintenance-${id}">
    <h3 dir="auto"${languages.of('maintenance', id, 'title')}>${title}</h3>
    <p class="facts">
      <span class="mark ${seen.className}">${icon(seen)}<bdi${languages.ofVocabulary(name)}>${name}</bdi></span>
      ${window(maintenance, context)}
    </p>
    ${about('maintenance', maintenance, context)}
    ${timeline('maintenance', updates, context)}
  </article>`
}

/** `From 22 November at 10:00 UTC to 22 November at 11:00 UTC`, or only one of the times. */
function window({ status, scheduled_start_time, scheduled_end_time, started_at }: Maintenance, context: RenderContext) {
  const start = timeElement(status === 'in_progress' ? started_at : scheduled_start_time, context.reading)
  const end = timeElement(scheduled_end_time, context.reading)
  if (!start && !end) return undefined
  return html`<span>${start && html`From ${start}`} ${end && html`${start ? 'to' : 'Until'} ${end}`}</span>`
}

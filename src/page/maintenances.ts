import type { PageView } from '../domain/pages/home.ts'
import { icon } from './icons.ts'
import { html, type Markup } from './markup.ts'
import { timeElement } from './times.ts'
import { about, type Scene, timeline } from './told.ts'

type Maintenance = PageView['active_maintenances'][number]

export function renderMaintenance(maintenance: Maintenance, scene: Scene): Markup {
  const { id, status, title, lifecycle_stage, updates = [] } = maintenance
  const seen = scene.look(status)
  const name = lifecycle_stage?.name ?? seen.name
  const { languages } = scene
  return html`<article class="card incident ${status === 'in_progress' && `open ${seen.className}`}" id="maintenance-${id}">
    <h3 dir="auto"${languages.of('maintenance', id, 'title')}>${title}</h3>
    <p class="facts">
      <span class="mark ${seen.className}">${icon(seen)}<bdi${languages.ofVocabulary(name)}>${name}</bdi></span>
      ${window(maintenance, scene)}
    </p>
    ${about('maintenance', maintenance, scene)}
    ${timeline('maintenance', updates, scene)}
  </article>`
}

/** `From 22 November at 10:00 UTC to 22 November at 11:00 UTC`, as far as it is known. */
function window({ status, scheduled_start_time, scheduled_end_time, started_at }: Maintenance, scene: Scene) {
  const start = timeElement(status === 'in_progress' ? started_at : scheduled_start_time, scene.reading)
  const end = timeElement(scheduled_end_time, scene.reading)
  if (!start && !end) return undefined
  return html`<span>${start && html`From ${start}`} ${end && html`${start ? 'to' : 'Until'} ${end}`}</span>`
}

import { icon } from '../icons.ts'
import { html, type Markup } from '../markup.ts'
import type { SiteContext } from '../site/context.ts'
import { markdownOf } from '../site/markdown.ts'
import { timeElement } from '../site/times.ts'
import type { Incident, Kind, Maintenance } from './about.ts'
import { timelineOf } from './fold-rules.ts'

type Update = NonNullable<Incident['updates'] | Maintenance['updates']>[number]

/** The timeline, newest entry first. */
export function timeline(kind: Kind, updates: Update[], context: SiteContext): Markup | undefined {
  if (updates.length === 0) return undefined
  const { text } = context
  const { newest, older, left } = timelineOf(updates)
  const list = (part: Update[]) =>
    html`<ol role="list" class="line">${part.map((update) => entry(kind, update, context))}</ol>`
  const rest = left > 0 && html`<p class="about soft">${text('page.timeline.left', { count: left })}</p>`
  const folded = html`<details class="more">
    <summary><span class="fold">${text('page.timeline.earlier', { count: older.length + left })}</span></summary>
    ${list(older)}${rest}
  </details>`
  return html`${list(newest)}${older.length > 0 && folded}`
}

/** The timeline without folds, for a page of its own. */
export const wholeTimeline = (kind: Kind, updates: Update[], context: SiteContext): Markup =>
  html`<ol role="list" class="line">${updates.map((update) => entry(kind, update, context))}</ol>`

function entry(kind: Kind, update: Update, { reading, look, languages }: SiteContext): Markup {
  const seen = look(update.status)
  const title = update.lifecycle_stage?.name ?? seen.name
  const moved = update.status !== update.previous_status && title !== seen.name
  return html`<li>
    <p class="when">
      ${icon(seen)}<b><bdi${languages.ofVocabulary(title)}>${title}</bdi></b>
      ${moved && html`<bdi${languages.ofVocabulary(seen.name)}>${seen.name}</bdi>`}
      ${timeElement(update.created_at, reading)}
    </p>
    <div class="prose" dir="auto"${languages.of(`${kind}_update`, update.id, 'message')}>${markdownOf(update.message)}</div>
  </li>`
}

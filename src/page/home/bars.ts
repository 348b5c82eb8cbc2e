import type { PageHistory } from '../../domain/uptime/page-history.ts'
import { MAINTENANCE } from '../../domain/vocabulary/rules.ts'
import { html, type Markup } from '../markup.ts'
import type { SiteContext } from '../site/context.ts'
import { percentInWords } from '../site/numbers.ts'
import { HEIGHT, packedDays, strokesOf, widthOf } from './bars-rules.ts'

type ItemHistory = PageHistory['items'][number]

/**
 * The bars of an item with its uptime, which leads to its working. Each bar is a day; without scripts, the page of the item
 * lists the days.
 */
export function renderBars({ item, days, uptime_percent }: ItemHistory, calm: string, context: SiteContext): Markup {
  const { text, labels, link, look } = context
  const strokes = strokesOf(days, (status) => ({ className: look(status).className, planned: status === MAINTENANCE }))
  const paths = strokes.map(({ className, path }) => html`<path class="${className}" d="${path}"/>`)
  const percent = percentInWords(uptime_percent, labels)
  const uptime = percent === undefined ? text('page.uptime.none') : text('page.uptime.percent', { percent })
  const name = text('page.bars.name', { item: item.name, days: days.length })
  const packed = packedDays(days, calm)
  return html`<div class="bars">
    <svg role="img" aria-label="${name}: ${uptime}" viewBox="0 0 ${widthOf(days.length)} ${HEIGHT}" preserveAspectRatio="none"${packed.length > 0 && html` data-days="${JSON.stringify(packed)}"`}>${paths}</svg>
    <p class="scale"><span>${text('page.bars.ago', { days: days.length })}</span><a href="${link(`/items/${item.id}`)}#uptime">${uptime}</a><span>${text('page.bars.today')}</span></p>
  </div>`
}

interface Shown {
  history: PageHistory
  happened: { incidents: { id: number; title: string }[]; maintenances: { id: number; title: string }[] }
}

/** What the script needs to show days: their dates, the names of statuses, and the titles of what happened. */
export function barsData({ history, happened }: Shown, context: SiteContext): Markup {
  const { site, look, link } = context
  const titles = (records: { id: number; title: string }[]) =>
    Object.fromEntries(records.map(({ id, title }) => [id, title]))
  const data = {
    dates: history.items[0]?.days.map(({ date }) => date) ?? [],
    statuses: Object.fromEntries(site.status_types.map(({ key }) => [key, look(key).name])),
    incidents: titles(happened.incidents),
    maintenances: titles(happened.maintenances),
    paths: { incidents: link('/incidents/0'), maintenances: link('/maintenances/0') },
  }
  return html`<script type="application/json" id="days">${{ markup: JSON.stringify(data).replaceAll('<', '\\u003c') }}</script>`
}

import type { PageHistory } from '../../domain/uptime/page-history.ts'
import { MAINTENANCE } from '../../domain/vocabulary/rules.ts'
import { html, jsonAttribute, type Markup } from '../markup.ts'
import type { SiteContext } from '../site/context.ts'
import { percentInWords } from '../site/numbers.ts'
import { drawingOf, HEIGHT, widthOf } from './bars-rules.ts'

type ItemHistory = PageHistory['items'][number]

/** What draws the bars of all items of a page. */
export interface Drawer {
  draw: (item: ItemHistory) => Markup
  /** All statuses that were drawn; null for days without data. */
  used: ReadonlySet<string | null>
}

/** The bars of an item: each is a day. Without scripts, the page of the item lists the days. */
export function drawerOf(context: SiteContext): Drawer {
  const { site, text, look } = context
  const used = new Set<string | null>()
  const pen = {
    calm: site.status_types.find((type) => type.is_operational)?.key ?? 'operational',
    lookOf: (status: string) => ({ className: look(status).className, planned: status === MAINTENANCE }),
    ...{ known: [], used },
  }
  return {
    used,
    draw({ item, days, uptime_percent }) {
      const { strokes, began, packed } = drawingOf(days, pen)
      const paths = strokes.map(
        ({ className, height, path }) =>
          html`<path class="${className}"${height < HEIGHT && html` stroke-width="${height}"`} d="${{ markup: path }}"/>`,
      )
      const name = text('page.bars.name', { item: item.name, days: days.length })
      return html`<div class="bars"><svg role="img" aria-label="${name}: ${uptimeInWords(uptime_percent, context)}" viewBox="0 0 ${widthOf(days.length)} ${HEIGHT}" preserveAspectRatio="none"${began > 0 && html` data-began="${began}"`}${packed.length > 0 && html` data-days=${jsonAttribute(packed)}`}>${paths}</svg></div>`
    },
  }
}

/** The uptime of an item, which leads to its working. */
export const renderUptime = ({ item, uptime_percent }: ItemHistory, context: SiteContext): Markup =>
  html`<a class="percent" href="${context.link(`/items/${item.id}`)}#uptime">${uptimeInWords(uptime_percent, context)}</a>`

function uptimeInWords(percent: number | null, { text, labels }: SiteContext): string {
  const words = percentInWords(percent, labels)
  return words === undefined ? text('page.uptime.none') : text('page.uptime.percent', { percent: words })
}

/** What the first and the last bar stand for. */
export const renderScale = (days: number, { text }: SiteContext): Markup =>
  html`<p class="scale"><span>${text('page.bars.ago', { days })}</span><span>${text('page.bars.today')}</span></p>`

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
  return html`<script type="application/json" id="days-data">${{ markup: JSON.stringify(data).replaceAll('<', '\\u003c') }}</script>`
}

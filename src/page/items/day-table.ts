import type { Happened } from '../../domain/pages/views/happened.ts'
import type { PageHistory } from '../../domain/uptime/page-history.ts'
import { html, type Markup } from '../markup.ts'
import type { SiteContext } from '../site/context.ts'
import { durationOf } from '../site/durations.ts'
import { percentInWords } from '../site/numbers.ts'
import { daysInWords } from '../site/times.ts'
import { runsOf } from './day-rules.ts'

type Day = PageHistory['items'][number]['days'][number]
interface Shown {
  history: PageHistory
  happened: Happened
}

/** The days of an item as a table, newest first: the same as its bars. Days that are alike share a row. */
export function dayTable({ days }: PageHistory['items'][number], { happened }: Shown, context: SiteContext): Markup {
  const { text } = context
  const rows = runsOf([...days].reverse()).map((run) => rowOf(run, happened, context))
  return html`<div class="card panel table" tabindex="0" role="group" aria-label="${text('page.item.days')}"><table class="plain days" role="table">
    <caption class="hidden">${text('page.item.days')}</caption>
    <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${text('page.day')}</th><th role="columnheader" scope="col">${text('page.working.time')}</th><th role="columnheader" scope="col">${text('page.day.happened')}</th><th role="columnheader" scope="col" class="number">${text('page.day.percent')}</th></tr></thead>
    <tbody role="rowgroup">${rows}</tbody>
  </table></div>`
}

/** The row of a day, or of a run of days, newest first. */
function rowOf(run: Day[], happened: Happened, context: SiteContext) {
  const { uptime_percent, seconds, incident_ids, maintenance_ids } = run[0]!
  const { look, reading, labels, text, languages } = context
  const lasted = (status: string) => run.reduce((sum, day) => sum + (day.seconds[status] ?? 0), 0)
  const times = Object.keys(seconds).map(
    (status) =>
      html`<div><bdi${languages.ofVocabulary(look(status).name)}>${look(status).name}</bdi> ${durationOf(lasted(status), reading)}</div>`,
  )
  const records = [
    ...incident_ids.map((id) => titled('incidents', id, happened, context)),
    ...maintenance_ids.map((id) => titled('maintenances', id, happened, context)),
  ]
  return html`<tr role="row">
    <th role="rowheader" scope="row">${daysInWords(run.at(-1)!.date, run[0]!.date, reading)}</th>
    <td role="cell">${times.length > 0 ? times : text('page.day.no_data')}</td>
    <td role="cell">${records}</td>
    <td role="cell" class="number">${percentInWords(uptime_percent, labels) ?? '–'}</td>
  </tr>`
}

function titled(kind: keyof Happened, id: number, happened: Happened, { link, languages }: SiteContext): Markup {
  const title = happened[kind].find((one) => one.id === id)?.title ?? `${id}`
  const lang = languages.of(kind.slice(0, -1), id, 'title')
  return html`<div><a href="${link(`/${kind}/${id}`)}"><bdi${lang}>${title}</bdi></a></div>`
}

import type { ArchivePage } from '../../domain/pages/views/archive.ts'
import { monthAfter, monthBefore } from '../../domain/pages/views/month-rules.ts'
import { favicon } from '../icons.ts'
import { html, type Markup } from '../markup.ts'
import { contextOf, type Place } from '../site/context.ts'
import { crumbs } from '../site/crumbs.ts'
import { renderDocument } from '../site/document.ts'
import { monthInWords } from '../site/times.ts'
import { type RecordContext, recordContext } from './about.ts'
import { renderFolded } from './incidents.ts'
import { renderMaintenanceFolded } from './maintenances.ts'

/** The incidents and maintenances of a month, newest first. */
export function renderArchive(page: ArchivePage, place: Place): string {
  const context = recordContext(contextOf(page, place))
  const { text, reading } = context
  const entries = [
    ...page.incidents.map((one) => ({
      at: one.started_at ?? '',
      markup: () => renderFolded(one, context),
    })),
    ...page.maintenances.map((one) => ({
      at: one.scheduled_start_time ?? one.started_at ?? '',
      markup: () => renderMaintenanceFolded(one, context),
    })),
  ].sort((a, b) => (a.at < b.at ? 1 : -1))
  const title = text('page.past.of_month', { month: monthInWords(page.month, reading) })
  const none = html`<p class="card none">${text('embed.calm')}</p>`
  const body = html`
    ${crumbs(context)}
    <h1>${title}</h1>
    <nav class="pages" aria-label="${text('page.past.months')}">${monthsAround(page, context)}</nav>
    <h2 class="hidden">${text('page.nav.history')}</h2>
    <div data-part="month">
    ${entries.length > 0 ? entries.map(({ markup }) => markup()) : none}
    ${page.left_out > 0 && html`<p class="soft">${text('page.past.left_out', { count: page.left_out })}</p>`}
    </div>
    <div class="pages">${monthsAround(page, context)}</div>
  `
  return renderDocument(context, {
    title: `${title} – ${page.name}`,
    description: title,
    icon: favicon(context.look('resolved')),
    body,
  })
}

function monthsAround({ month, first_month, last_month }: ArchivePage, { link, reading }: RecordContext): Markup {
  const to = (other: string, rel: 'prev' | 'next') =>
    html`<a rel="${rel}" href="${link('/history', { month: other })}">${monthInWords(other, reading)}</a>`
  const before = month > first_month && to(monthBefore(month), 'prev')
  const after = month < last_month && to(monthAfter(month), 'next')
  return html`<span>${before}</span><span>${after}</span>`
}

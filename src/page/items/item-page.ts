import type { ItemPage } from '../../domain/pages/views/item-page.ts'
import { favicon, icon } from '../icons.ts'
import { html, type Markup } from '../markup.ts'
import { contextOf, type Place, type SiteContext } from '../site/context.ts'
import { crumbs } from '../site/crumbs.ts'
import { renderDocument } from '../site/document.ts'
import { timeElement } from '../site/times.ts'
import { barsData, drawerOf, renderScale, renderUptime } from './bars.ts'
import { dayTable } from './day-table.ts'
import { uptimeWorking } from './uptime-working.ts'

/** The page of an item: its status, its days, and how its uptime is computed. */
export function renderItemPage(page: ItemPage, place: Place): string {
  const { item, ancestors, children, history, happened, corrections, ...site } = page
  const context = contextOf(site, place)
  const { languages, look, text, link } = context
  const seen = look(item.status)
  const name = html`<bdi${languages.of('item', item.id, 'name')}>${item.name}</bdi>`
  const [shown] = history.items
  const linkTo = ({ id, name }: { id: number; name: string }) =>
    html`<a href="${link(`/items/${id}`)}"><bdi${languages.of('item', id, 'name')}>${name}</bdi></a>`
  const row = (child: (typeof children)[number]) => {
    const its = look(child.status)
    return html`<li class="row"><span class="name">${linkTo(child)}</span><span class="is${its.calm ? ' ok' : ''}"><bdi${languages.ofVocabulary(its.name)}>${its.name}</bdi>${icon(its)}</span></li>`
  }
  const body = html`
    ${crumbs(context, ancestors.map(linkTo))}
    <div data-part="item"><h1>${name}</h1>
    ${item.description && html`<p class="soft" dir="auto"${languages.of('item', item.id, 'description')}>${item.description}</p>`}</div>
    <p class="facts"><span class="mark" data-part="status">${icon(seen)}<bdi${languages.ofVocabulary(seen.name)}>${seen.name}</bdi></span></p>
    ${children.length > 0 && html`<section aria-labelledby="below" data-part="children"><h2 id="below">${text('page.item.children')}</h2><ul role="list" class="card tree">${children.map(row)}</ul></section>`}
    <section aria-labelledby="uptime" data-part="uptime">
      <h2 id="uptime">${text('page.item.uptime', { days: history.days })}</h2>
      <div class="card panel">
        ${shown && renderUptime(shown, context)}
        ${shown && drawerOf(context).draw(shown)}
        ${renderScale(history.days, context)}
        ${shown && uptimeWorking(shown, history, context)}
        ${corrections.length > 0 && correctionsOf(corrections, context)}
      </div>
    </section>
    <section aria-labelledby="days" data-part="days">
      <h2 id="days">${text('page.item.days')}</h2>
      ${shown && dayTable(shown, { history, happened }, context)}
    </section>
    ${barsData({ history, happened }, context)}
  `
  return renderDocument(context, {
    title: `${item.name} – ${site.name}`,
    description: `${item.name}: ${seen.name}`,
    icon: favicon(seen),
    body,
  })
}

function correctionsOf(corrections: ItemPage['corrections'], { text, reading, look }: SiteContext): Markup {
  const one = ({ status, event_time, original_event_time, corrected_at }: ItemPage['corrections'][number]) =>
    html`<li>${text('page.correction', { status: look(status).name })} ${timeElement(original_event_time, reading)} → ${event_time === null ? text('page.correction.removed') : timeElement(event_time, reading)} (${timeElement(corrected_at, reading)})</li>`
  return html`<h3>${text('page.corrections')}</h3><ul role="list" class="about">${corrections.map(one)}</ul>`
}

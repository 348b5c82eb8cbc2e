import type { PageHistory } from '../../domain/uptime/page-history.ts'
import { html, type Markup } from '../markup.ts'
import type { SiteContext } from '../site/context.ts'
import { durationOf } from '../site/durations.ts'
import { numberInWords, percentInWords } from '../site/numbers.ts'
import { timeElement } from '../site/times.ts'

/** How the uptime of an item is computed, with all its numbers. */
export function uptimeWorking(shown: PageHistory['items'][number], history: PageHistory, context: SiteContext): Markup {
  const { text, labels, look, languages, reading, site } = context
  const { weights, target_percent, policy_label } = history
  const entries = Object.entries(shown.seconds).sort(([, a], [, b]) => b - a)
  const total = entries.reduce((sum, [, seconds]) => sum + seconds, 0)
  const down = entries.reduce((sum, [status, seconds]) => sum + seconds * (weights[status] ?? 0), 0)
  const number = (value: number) => numberInWords(value, labels)
  const row = ([status, seconds]: [string, number]) => html`<tr>
    <th scope="row"><bdi${languages.ofVocabulary(look(status).name)}>${look(status).name}</bdi> <span class="lasted">${durationOf(seconds, reading)}</span></th>
    <td class="number">${number(seconds)}</td><td class="number">${number(weights[status] ?? 0)}</td>
  </tr>`
  const changed = Object.entries(history.weights_since).filter(([status]) => Object.hasOwn(shown.seconds, status))
  const from = shown.start_date > history.start_time ? shown.start_date : history.start_time
  if (from >= history.end_time) return html`<p class="about">${text('page.day.no_data')}</p>`
  const percent = percentInWords(shown.uptime_percent, labels)
  const counts = site.settings.reliability_maintenance_counts_as_uptime
  const target = target_percent !== null && percentInWords(target_percent, labels)
  return html`
    <p class="about">${text('page.working.window')} ${timeElement(from, reading)} – ${timeElement(history.end_time, reading)}</p>
    <div class="table" tabindex="0" role="group" aria-label="${text('page.working.table')}"><table class="plain">
      <caption class="hidden">${text('page.working.table')}</caption>
      <thead><tr><th scope="col">${text('page.working.status')}</th><th scope="col" class="number">${text('page.working.seconds')}</th><th scope="col" class="number">${text('page.working.weight')}</th></tr></thead>
      <tbody>${entries.map(row)}</tbody>
    </table></div>
    ${changed.map(([status, since]) => html`<p class="about">${weightChanged(status, since, context)}</p>`)}
    ${percent && html`<p class="about">100 × (1 − ${number(down)} ÷ ${number(total)}) = <b>${percent}</b></p>`}
    ${target && html`<p class="about">${text('page.working.target', { target })} ${policy_label && html`<bdi${languages.original}>(${policy_label})</bdi>`}</p>`}
    <p class="about soft">${text(counts ? 'page.working.maintenance_up' : 'page.working.maintenance_weight')} ${text('page.working.rounding')} <span data-zone-name>${text('page.zone', { zone: history.timezone })}</span></p>
  `
}

/** The sentence with its time as an element, which the script shows in the time zone of the reader. */
function weightChanged(status: string, since: string, { text, look, reading }: SiteContext): Markup {
  const [before, after] = text('page.working.weight_changed', { status: look(status).name, time: '\n' }).split('\n')
  return html`${before}${timeElement(since, reading)}${after}`
}

import type { FeedEntry } from '../domain/feeds/view-schema.ts'
import { html, type Markup } from '../page/markup.ts'
import type { SiteContext } from '../page/site/context.ts'
import { listInWords } from '../page/site/list-rules.ts'
import { markdownOf } from '../page/site/markdown.ts'
import { updatedAt } from '../page/site/times.ts'

type Record = FeedEntry['record']
type Update = NonNullable<Record['updates']>[number]

const isUpdate = ({ kind }: FeedEntry) => kind === 'incident_update' || kind === 'maintenance_update'

/** The status, and the lifecycle stage if its name says more. */
function stateInWords(
  { status, stage }: { status: string; stage?: string | undefined },
  { look, text }: SiteContext,
): string {
  const { name } = look(status)
  return stage === undefined || stage === name ? name : text('feed.state', { status: name, stage })
}

/** The title of an entry: of the record, with the state if a record has several entries. */
export function titleOf(entry: FeedEntry, perUpdate: boolean, context: SiteContext): string {
  const { title } = entry.record
  return perUpdate ? `${title} – ${stateInWords(entry, context)}` : title
}

/** The text of an entry as HTML. Times have their year, so that the text stays the same in the next year. */
export function contentOf(entry: FeedEntry, perUpdate: boolean, context: SiteContext): string {
  const { record } = entry
  const { text } = context
  const { description, impact, updates = [] } = record
  const [message] = updates
  return html`
    <p><b>${text('feed.status')}</b> ${stateInWords(entry, context)}</p>
    ${window(record, context)}
    ${affected(record, context)}
    ${isUpdate(entry) && markdownOf(message!.message)}
    ${!isUpdate(entry) && impact && html`<p><b>${text('page.incident.impact')}</b> ${impact}</p>`}
    ${!isUpdate(entry) && description && markdownOf(description)}
    ${!perUpdate && reportOf(record, context)}
    ${!isUpdate(entry) && updates.map((update) => updateOf(update, context))}
  `.markup.trim()
}

const updateOf = (update: Update, context: SiteContext): Markup => html`
  <hr>
  <p><b>${stateInWords({ status: update.status, stage: update.lifecycle_stage?.name }, context)}</b> ${update.created_at && updatedAt(update.created_at, context.reading)}</p>
  ${markdownOf(update.message)}`

/** The published report of an incident. */
function reportOf(record: Record, { text, reading }: SiteContext): Markup | undefined {
  if (!('report' in record) || !record.report) return undefined
  const { title, body, published_at } = record.report
  return html`
    <hr>
    <p><b>${text('page.report')}: ${title}</b> ${updatedAt(published_at, reading)}</p>
    ${markdownOf(body)}`
}

function window(record: Record, { text, reading }: SiteContext): Markup | undefined {
  if (!('scheduled_start_time' in record)) return undefined
  const { scheduled_start_time: start, scheduled_end_time: end } = record
  if (!start) return undefined
  const until = end && html` ${text('page.maintenance.to')} ${updatedAt(end, reading)}`
  return html`<p><b>${text('page.maintenance.from')}</b> ${updatedAt(start, reading)}${until}</p>`
}

function affected({ affected_items = [], affected_items_freetext: freetext }: Record, { text, reading }: SiteContext) {
  const names = [...affected_items.map(({ name }) => name), ...(freetext ? [freetext] : [])]
  return (
    names.length > 0 && html`<p><b>${text('page.incident.affected')}</b> ${listInWords(names, reading.language)}</p>`
  )
}

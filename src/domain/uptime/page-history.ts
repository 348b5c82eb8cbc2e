import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { affectedSpans, itemStarts } from '../../persistence/affected-spans.ts'
import { componentRows } from '../../persistence/components.ts'
import { eventsSince } from '../../persistence/status-history.ts'
import { summariesIn } from '../hierarchy/presenter.ts'
import { HierarchyItemSummary } from '../hierarchy/schema.ts'
import { operation } from '../kernel/operation.ts'
import { momentOut } from '../kernel/schema.ts'
import { settingsOf } from '../settings/stored.ts'
import { type Reading, readingIn } from '../translations/languages.ts'
import { languageInWords, readIn } from '../translations/schema.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { operationalStatus } from '../vocabulary/rules.ts'
import { idsByDay } from './affected-rules.ts'
import { daysUntil } from './day-rules.ts'
import { scaleOf, weightsOf } from './scale-rules.ts'
import { type Scale, type Seconds, secondsBetween, sumOf, uptimeOf } from './uptime-rules.ts'

const uptimePercent = () =>
  z
    .number()
    .nullable()
    .describe('Rounded down to four decimals, and below 100 with any downtime; null if no time counts')
const seconds = () => z.record(z.string(), z.int()).describe('The seconds in each status since the `start_date`')

const HistoryDay = z
  .strictObject({
    date: z.string().describe('The day in `timezone`'),
    uptime_percent: uptimePercent(),
    status: z.string().nullable().describe('The worst status of the day; null if no time of the day counts'),
    seconds: seconds(),
    incident_ids: z
      .array(z.int())
      .describe('Incidents that affected the item, or an item below it, on this day: at most 50'),
    maintenance_ids: z
      .array(z.int())
      .describe('Maintenances of the item, or of an item below it, that were in progress on this day: at most 50'),
  })
  .meta({ id: 'HistoryDay' })

export const PageHistory = z
  .strictObject({
    timezone: z.string().describe('The zone in which days are cut: `reliability_policy_timezone`'),
    days: z.int(),
    start_time: momentOut(),
    end_time: momentOut(),
    policy_label: z.string().optional(),
    target_percent: z.number().nullable(),
    weights: z
      .record(z.string(), z.number())
      .describe('The part of the time in each status that counts as down; 0 for maintenance if it counts as up'),
    weights_since: z
      .record(z.string(), momentOut())
      .describe('When weights changed last, of those that changed; a weight applies to the whole time'),
    items: z.array(
      z.strictObject({
        item: HierarchyItemSummary,
        start_date: momentOut().describe('Uptime counts from here'),
        uptime_percent: uptimePercent(),
        seconds: seconds(),
        days: z.array(HistoryDay).describe('Oldest first'),
      }),
    ),
  })
  .meta({ id: 'PageHistory' })

export type PageHistory = z.output<typeof PageHistory>

export const getPageHistory = operation({
  name: 'public.history',
  area: 'hierarchy',
  permission: 'public',
  summary: 'Get the uptime of each item of the page by day',
  description:
    'Computed like the uptime of an item, from the same status events. `uptime_percent` is 100 × (1 − the seconds in each status, each times its weight, ÷ all seconds). The seconds of the days add up to the seconds of the item. Days last 23 or 25 hours where a clock changes; the last day is today until now. A day before the `start_date` of the item has null as `uptime_percent` and `status`. ' +
    languageInWords,
  input: z.strictObject({ days: z.coerce.number().int().min(1).max(365).default(90), ...readIn }),
  output: PageHistory,
  run: async ({ tx, now }, { days, locale }) => historyOf(tx, now, { days, reading: await readingIn(tx, locale) }),
})

interface Asked {
  days: number
  reading: Reading
  /** The ids of the only items. */
  only?: ReadonlySet<number>
}

/** The uptime of all items, or of one item, by day. */
export async function historyOf(tx: EntityManager, now: Date, { days, reading, only }: Asked): Promise<PageHistory> {
  const settings = await settingsOf(tx)
  const timezone = settings.reliability_policy_timezone
  const policy = { maintenanceCountsAsUp: settings.reliability_maintenance_counts_as_uptime }
  const types = await statusTypes(tx)
  const scale = scaleOf(types, policy)
  const { dates, bounds } = daysUntil(now.getTime(), days, timezone)
  const window = { since: new Date(bounds[0]!), until: now }
  const rows = (await componentRows(tx)).filter(({ id }) => only === undefined || only.has(id))
  const { summaryOf } = await summariesIn(tx, rows, reading)
  const known = new Map((await eventsSince(tx, ids(rows), { ...window, now })).map((one) => [one.id, one]))
  const starts = new Map((await itemStarts(tx)).map((one) => [one.id, one]))
  const affected = await affectedIn(tx, window, bounds, (id) => starts.get(id)?.parent_id)
  const first = operationalStatus(types)
  const shared = sharedDays(dates, scale)
  const items = rows.map((row) => {
    const course = { first: known.get(row.id)?.before ?? first, points: known.get(row.id)?.events ?? [] }
    const start = new Date(starts.get(row.id)!.start_date)
    const parts = secondsBetween(course, bounds, start.getTime(), shared.secondsOf)
    const [incidents, maintenances] = [affected.incident.get(row.id), affected.maintenance.get(row.id)]
    const whole = uptimeOf(sumOf(parts), scale)
    return {
      item: summaryOf(row),
      start_date: start.toISOString(),
      uptime_percent: whole.uptime_percent,
      seconds: whole.seconds,
      days: dates.map((_date, index) => shared.dayOf(index, parts[index]!, incidents?.[index], maintenances?.[index])),
    }
  })
  return {
    ...{ timezone, days, start_time: window.since.toISOString(), end_time: now.toISOString() },
    policy_label: settings.reliability_policy_label || undefined,
    target_percent: settings.reliability_target_uptime_percent,
    ...{ weights: weightsOf(types, policy), weights_since: changesOf(types), items },
  }
}

type HistoryDay = z.output<typeof HistoryDay>

/**
 * Most days of most items have one status and nothing that happened. Items share these days, the last one of each date, because a
 * large page has a hundred thousand days.
 */
function sharedDays(dates: string[], scale: Scale) {
  const whole: Seconds[] = []
  const quiet: HistoryDay[] = []
  const dayOf = (index: number, seconds: Seconds, incident_ids: number[], maintenance_ids: number[]): HistoryDay => {
    const { uptime_percent, worst_status: status } = uptimeOf(seconds, scale)
    return { date: dates[index]!, uptime_percent, status, seconds, incident_ids, maintenance_ids }
  }
  return {
    /** The seconds of a day without a change of the status, in which the item may have begun. */
    secondsOf(index: number, status: string, seconds: number): Seconds {
      if (whole[index]?.[status] !== seconds) whole[index] = { [status]: seconds }
      return whole[index]!
    },
    dayOf(index: number, seconds: Seconds, incidents?: number[], maintenances?: number[]): HistoryDay {
      if (incidents || maintenances) return dayOf(index, seconds, incidents ?? [], maintenances ?? [])
      if (quiet[index]?.seconds !== seconds) quiet[index] = dayOf(index, seconds, [], [])
      return quiet[index]!
    },
  }
}

const changesOf = (types: { key: string; weight_changed_at: Date | null }[]): Record<string, string> =>
  Object.fromEntries(types.flatMap(({ key, weight_changed_at: at }) => (at === null ? [] : [[key, at.toISOString()]])))

const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)

type ParentOf = Parameters<typeof idsByDay>[2]

async function affectedIn(
  tx: EntityManager,
  { since, until }: { since: Date; until: Date },
  bounds: number[],
  parentOf: ParentOf,
) {
  const spans = await affectedSpans(tx, since, until)
  const of = (kind: string) =>
    idsByDay(
      spans.filter((span) => span.kind === kind),
      bounds,
      parentOf,
    )
  return { incident: of('incident'), maintenance: of('maintenance') }
}

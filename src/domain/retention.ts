import {
  pruneAnswers,
  pruneAudit,
  pruneChecks,
  pruneEvents,
  pruneFeedReaders,
  pruneNotes,
  pruneNotifications,
  pruneResults,
  pruneRollups,
  pruneSharedReads,
  pruneTurns,
} from '../persistence/system/retention.ts'
import { rolledUpTo } from '../persistence/system/rollups.ts'
import { READERS_FOR_MS } from './feeds/reader-rules.ts'
import type { Services } from './kernel/services.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MINUTES_KEPT_DAYS = 30
const HOURS_KEPT_DAYS = 400
/** How long idempotency keys and the answers of requested checks are stored. */
const ANSWERS_KEPT_DAYS = 1

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS)

/** Each hour, for all pages: deletes records after their retention time. After an interruption the next run continues. */
export async function prune({ system, clock, keep, logger }: Services): Promise<void> {
  const now = clock()
  // A whole minute, because rollups count whole minutes.
  const old = new Date(Math.floor(daysBefore(now, keep.resultDays).getTime() / MINUTE_MS) * MINUTE_MS)
  // Results without a rollup are not deleted.
  const made = await rolledUpTo(system)
  const deleted = {
    results: await pruneResults(system, old < made ? old : made),
    minutes: await pruneRollups(system, 60, daysBefore(now, MINUTES_KEPT_DAYS)),
    hours: await pruneRollups(system, 3600, daysBefore(now, HOURS_KEPT_DAYS)),
    answers: await pruneAnswers(system, daysBefore(now, ANSWERS_KEPT_DAYS)),
    events: await pruneEvents(system, daysBefore(now, keep.eventDays)),
    notifications: await pruneNotifications(system, daysBefore(now, keep.notificationDays)),
    feed_readers: await pruneFeedReaders(system, new Date(now.getTime() - READERS_FOR_MS)),
    shared_reads: await pruneSharedReads(system, new Date(now.getTime() - HOUR_MS)),
    turns: await pruneTurns(system, daysBefore(now, keep.turnDays)),
    checks: await pruneChecks(system, daysBefore(now, ANSWERS_KEPT_DAYS)),
    ...(keep.auditDays === undefined ? {} : await pruneHistory(system, daysBefore(now, keep.auditDays))),
  }
  logger.info(deleted, 'deleted the records whose retention time has passed')
}

const pruneHistory = async (system: Services['system'], before: Date) => ({
  audit_events: await pruneAudit(system, before),
  process_notes: await pruneNotes(system, before),
})

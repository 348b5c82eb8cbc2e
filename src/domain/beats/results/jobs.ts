import {
  pruneAnswers,
  pruneAudit,
  pruneChecks,
  pruneNotes,
  pruneResults,
  pruneRollups,
} from '../../../persistence/system/retention.ts'
import { rolledUpTo, rollUp } from '../../../persistence/system/rollups.ts'
import type { Services } from '../../kernel/services.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * 60 * 1000
const MINUTES_KEPT_DAYS = 30
const HOURS_KEPT_DAYS = 400
/** For so long a key is honoured, and the answer to a check that somebody asked for can be read. */
const ANSWERS_KEPT_DAYS = 1

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS)

/** Every minute, for all pages: the results of checks become minutes and hours, which metrics are read from. */
export const rollUpBeats = ({ system, clock }: Services): Promise<void> => rollUp(system, clock())

/** Every hour, for all pages: deletes what is kept no longer. Whatever it is stopped at, the next time goes on. */
export async function prune({ system, clock, keep, logger }: Services): Promise<void> {
  const now = clock()
  // Whole minutes, as those that were made of them are whole.
  const old = new Date(Math.floor(daysBefore(now, keep.resultDays).getTime() / MINUTE_MS) * MINUTE_MS)
  // Results that are in no rollup yet wait for it.
  const made = await rolledUpTo(system)
  const deleted = {
    results: await pruneResults(system, old < made ? old : made),
    minutes: await pruneRollups(system, 60, daysBefore(now, MINUTES_KEPT_DAYS)),
    hours: await pruneRollups(system, 3600, daysBefore(now, HOURS_KEPT_DAYS)),
    answers: await pruneAnswers(system, daysBefore(now, ANSWERS_KEPT_DAYS)),
    checks: await pruneChecks(system, daysBefore(now, ANSWERS_KEPT_DAYS)),
    ...(keep.auditDays === undefined ? {} : await pruneHistory(system, daysBefore(now, keep.auditDays))),
  }
  logger.info(deleted, 'deleted what is kept no longer')
}

const pruneHistory = async (system: Services['system'], before: Date) => ({
  audit_events: await pruneAudit(system, before),
  process_notes: await pruneNotes(system, before),
})

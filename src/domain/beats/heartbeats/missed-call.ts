import { LockMode } from '@mikro-orm/postgresql'
import { readPulses } from '../../../persistence/api-pulses.ts'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { Heartbeat } from '../../../persistence/entities/heartbeat.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { observeStage } from '../stage/observe.ts'
import { dueWhileAble, lastAble, nextLook } from './able.ts'
import { missed } from './due.ts'
import { expectsCalls } from './enabled.ts'
import { observationOf } from './observation.ts'

interface Options {
  /** Writes down why a silence counts as unknown. */
  note?: (cause: string, message: string) => void
}

/** What the process of a heartbeat waits for, and when it looks again. */
export interface NextCall {
  says: string
  until: Date
}

const aCall = (until: Date): NextCall => ({ says: `a call until ${until.toISOString()}`, until })

/**
 * The first thing that the process of a beat looks at, under the beat's lock. Where a heartbeat was due and no call has
 * come, the silence counts as a failure for each moment that has passed and at which a call could have been taken.
 */
export async function recordMissedCalls(
  work: WorkContext,
  beat: Beat,
  { note }: Options = {},
): Promise<NextCall | null> {
  const { tx, now } = work
  if (beat.type !== 'heartbeat' || !(await expectsCalls(tx, beat))) return null
  // A call that came in time holds this lock, or has been here.
  const heartbeat = await tx.findOne(
    Heartbeat,
    { beat_id: beat.id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  if (!heartbeat) return null
  if (heartbeat.due_at > now) return aCall(heartbeat.due_at)
  const able = lastAble(await readPulses(tx))
  const due = able ? dueWhileAble(heartbeat.schedule, heartbeat.due_at, able) : heartbeat.due_at
  if (due > heartbeat.due_at) {
    note?.('silence', unknownInWords(heartbeat.due_at, able!.since, due))
    heartbeat.due_at = due
    await tx.flush()
  }
  if (due > now) return aCall(due)
  if (!able || able.until < due) {
    const says = `the API, which is to confirm that it could take calls until ${due.toISOString()}`
    return { says, until: nextLook(now, able) }
  }
  return aCall(await fail(work, beat, heartbeat, able.until < now ? able.until : now))
}

/** Counts the moments that have passed without a call, and answers the next due moment. */
async function fail(work: WorkContext, beat: Beat, heartbeat: Heartbeat, until: Date): Promise<Date> {
  const { due_at: due } = heartbeat
  const { count, next } = missed(heartbeat.schedule, due, until)
  Object.assign(heartbeat, { failures: heartbeat.failures + count, successes: 0, quiet: false, due_at: next })
  await observeStage(work, beat.id, async (locked) =>
    observationOf(locked, heartbeat, {
      // A grace that is made shorter may bring the same moment once more.
      key: `silence:${due.toISOString()}:${heartbeat.failures}`,
      cause: `silence at ${due.toISOString()}`,
      evidence: inWords(heartbeat, due, count),
    }),
  )
  await work.tx.flush()
  return next
}

const unknownInWords = (due: Date, since: Date, next: Date) =>
  `The service could not take calls before ${since.toISOString()}, so it is unknown whether a call was tried by ` +
  `${due.toISOString()}. The next call is due by ${next.toISOString()}.`

function inWords({ last_call_at, last_call }: Heartbeat, due: Date, count: number): string {
  const last = last_call_at
    ? `the last (${last_call}) was at ${last_call_at.toISOString()}`
    : 'there has never been one'
  const more = count === 2 ? 'the due moment' : `the ${count - 1} due moments`
  const often = count > 1 ? `, nor at ${more} after that` : ''
  return `No call by ${due.toISOString()}${often}; ${last}.`
}

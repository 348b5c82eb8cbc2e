import { LockMode } from '@mikro-orm/postgresql'
import { readPulses } from '../../../persistence/api-pulses.ts'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { Heartbeat } from '../../../persistence/entities/heartbeat.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { observeStage } from '../stage/observe.ts'
import { takesCalls } from '../types/index.ts'
import { dueWhileAvailable, lastAvailability, nextPulseRead } from './call-availability.ts'
import { missed } from './due.ts'
import { expectsCalls } from './enabled.ts'
import { observationOf } from './observation.ts'

interface Options {
  /** Writes a note about a due moment at which the API could not take calls. */
  note?: (cause: string, message: string) => void
}

/** What the process of a heartbeat waits for, and its next due moment. */
export interface NextCall {
  says: string
  until: Date
}

const nextCall = (until: Date): NextCall => ({ says: `the call that is due by ${until.toISOString()}`, until })

/**
 * Records the missed calls of a heartbeat, under the lock of its beat, before the process acts on the stage. Each due moment
 * without a call counts as a failure if the API could take calls at that moment.
 */
export async function recordMissedCalls(
  work: WorkContext,
  beat: Beat,
  { note }: Options = {},
): Promise<NextCall | null> {
  const { tx, now } = work
  if (!takesCalls(beat.type) || !(await expectsCalls(tx, beat))) return null
  // A call in time holds this lock, or has moved the due moment.
  const heartbeat = await tx.findOne(
    Heartbeat,
    { beat_id: beat.id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  if (!heartbeat) return null
  if (heartbeat.due_at > now) return nextCall(heartbeat.due_at)
  const available = lastAvailability(await readPulses(tx))
  const due = available ? dueWhileAvailable(heartbeat.schedule, heartbeat.due_at, available) : heartbeat.due_at
  if (due > heartbeat.due_at) {
    note?.('missed call', unknownInWords(heartbeat.due_at, available!.since, due))
    heartbeat.due_at = due
    await tx.flush()
  }
  if (due > now) return nextCall(due)
  if (!available || available.until < due) {
    const says = `the confirmation that the API could take calls until ${due.toISOString()}`
    return { says, until: nextPulseRead(now, available) }
  }
  return nextCall(await fail(work, beat, heartbeat, available.until < now ? available.until : now))
}

/** Counts the due moments that have passed without a call, and returns the next due moment. */
async function fail(work: WorkContext, beat: Beat, heartbeat: Heartbeat, until: Date): Promise<Date> {
  const { due_at: due } = heartbeat
  const { count, next } = missed(heartbeat.schedule, due, until)
  Object.assign(heartbeat, { failures: heartbeat.failures + count, successes: 0, quiet: false, due_at: next })
  await observeStage(work, beat.id, async (locked) =>
    observationOf(locked, heartbeat, {
      // A shorter grace may make the same moment due again.
      key: `silence:${due.toISOString()}:${heartbeat.failures}`,
      cause: `the missed call that was due by ${due.toISOString()}`,
      evidence: inWords(heartbeat, due, count),
    }),
  )
  await work.tx.flush()
  return next
}

const unknownInWords = (due: Date, since: Date, next: Date) =>
  `The call that was due by ${due.toISOString()} does not count as missed: the API could not take calls before ` +
  `${since.toISOString()}. The next call is due by ${next.toISOString()}.`

function inWords({ last_call_at, last_call }: Heartbeat, due: Date, count: number): string {
  const last = last_call_at
    ? `The last call (${last_call}) arrived at ${last_call_at.toISOString()}.`
    : 'No call has ever arrived.'
  const more = count === 2 ? 'the next due moment' : `the next ${count - 1} due moments`
  return `No call arrived by ${due.toISOString()}${count > 1 ? `, nor by ${more}` : ''}. ${last}`
}

import { LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import { Heartbeat } from '../../../persistence/entities/heartbeat.ts'
import { findHeartbeat, recordStart, recordSuccess } from '../../../persistence/system/heartbeats.ts'
import type { Services } from '../../kernel/services.ts'
import { inUnitOfWork } from '../../kernel/unit-of-work.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { observeStage } from '../stage/observe.ts'
import type { Call } from './call-rules.ts'
import { dueAfter } from './due.ts'
import { expectsCalls } from './enabled.ts'
import { recordMissedCalls } from './missed-call.ts'
import { observationOf } from './observation.ts'
import { hashOf } from './secret.ts'

/** Stores that the API could take calls until this moment at least. */
type ConfirmAvailable = (moment: Date) => Promise<void>

/** Takes a call of a heartbeat. False for an unknown token. */
export async function heartbeatCalled(
  services: Services,
  token: string,
  call: Call,
  confirmAvailable: ConfirmAvailable,
): Promise<boolean> {
  const { system, clock } = services
  const hash = hashOf(token)
  if (hash === undefined) return false
  const recorded = { hash, at: clock(), name: call.name }
  if (call.kind === 'start') return recordStart(system, recorded)
  if (call.kind === 'success' && (await recordSuccess(system, recorded))) return true
  const found = await findHeartbeat(system, hash)
  if (!found) return false
  const { schedule, quiet, page_id, beat_id, due_at } = found
  // An earlier call counts as missed only if the API could take calls at its due moment.
  if (due_at < recorded.at) await confirmAvailable(due_at)
  if (call.kind === 'success' && quiet && schedule.cron !== undefined) {
    const next = { schedule, due: dueAfter(schedule, recorded.at) }
    if (await recordSuccess(system, { ...recorded, next })) return true
  }
  const changed = await inUnitOfWork(services, page_id, (work) =>
    applyCall(work, clock, beat_id, { ...call, at: recorded.at }),
  )
  if (changed) services.pageChanged(page_id)
  return true
}

/** Whether the token belongs to a heartbeat. */
export async function isHeartbeat({ system }: Services, token: string): Promise<boolean> {
  const hash = hashOf(token)
  return hash !== undefined && (await findHeartbeat(system, hash)) !== undefined
}

const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const

/**
 * Stores a call that may change the stage, and evaluates the stage in the same transaction. A late call does not undo a
 * missed call: if the process has not recorded the missed call yet, this transaction records it first.
 */
async function applyCall(
  work: WorkContext,
  clock: () => Date,
  beatId: number,
  call: Call & { at: Date },
): Promise<boolean> {
  const { tx } = work
  const beat = await tx.findOne(Beat, { id: beatId }, locked)
  const heartbeat = beat && (await tx.findOne(Heartbeat, { beat_id: beatId }, locked))
  if (!beat || !heartbeat) return false
  // Read after the beat is locked, and later than the last call: two calls must not have the same moment.
  const at = new Date(Math.max(clock().getTime(), (heartbeat.last_call_at?.getTime() ?? 0) + 1))
  const expected = await expectsCalls(tx, beat)
  const { transition_number } = beat
  if (expected && heartbeat.due_at < call.at) await recordMissedCalls({ ...work, now: at }, beat)
  recordCall(heartbeat, call, at)
  if (!expected) return false
  await observeStage({ ...work, now: at }, beatId, async (locked) =>
    observationOf(locked, heartbeat, {
      key: `heartbeat:${at.toISOString()}`,
      cause: `the call at ${at.toISOString()}`,
      evidence: call.evidence,
    }),
  )
  heartbeat.quiet = beat.current_stage === 'healthy' && heartbeat.failures === 0
  return beat.transition_number > transition_number
}

function recordCall(heartbeat: Heartbeat, { kind, name }: Call, at: Date): void {
  const { started_at, failures, successes, schedule } = heartbeat
  const ok = kind === 'success'
  Object.assign(heartbeat, {
    last_call: name,
    last_call_at: at,
    duration_ms: started_at && Math.min(at.getTime() - started_at.getTime(), 2_147_483_647),
    started_at: null,
    failures: ok ? 0 : failures + 1,
    successes: ok ? successes + 1 : 0,
    // A reported failure is a call: the same run does not count as missed as well.
    due_at: dueAfter(schedule, at),
  } satisfies Partial<Heartbeat>)
}

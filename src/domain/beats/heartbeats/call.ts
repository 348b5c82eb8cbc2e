import { LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import { Heartbeat } from '../../../persistence/entities/heartbeat.ts'
import { findHeartbeat, noteStart, noteSuccess } from '../../../persistence/system/heartbeats.ts'
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

/** Stores that calls could be taken until this moment at least. */
type ConfirmAble = (moment: Date) => Promise<void>

/** The other side of a heartbeat calls. False for an unknown token. */
export async function heartbeatCalled(
  services: Services,
  token: string,
  call: Call,
  confirmAble: ConfirmAble,
): Promise<boolean> {
  const { system, clock } = services
  const hash = hashOf(token)
  if (hash === undefined) return false
  const noted = { hash, at: clock(), said: call.said }
  if (call.kind === 'start') return noteStart(system, noted)
  if (call.kind === 'success' && (await noteSuccess(system, noted))) return true
  const found = await findHeartbeat(system, hash)
  if (!found) return false
  const { schedule, quiet, page_id, beat_id, due_at } = found
  // Whether the call is late depends on whether an earlier one could have been taken.
  if (due_at < noted.at) await confirmAble(due_at)
  if (call.kind === 'success' && quiet && schedule.cron !== undefined) {
    const next = { schedule, due: dueAfter(schedule, noted.at) }
    if (await noteSuccess(system, { ...noted, next })) return true
  }
  const changed = await inUnitOfWork(services, page_id, (work) => hear(work, clock, beat_id, { ...call, at: noted.at }))
  if (changed) services.pageChanged(page_id)
  return true
}

/** Whether somebody knows it; asked only where a call says nothing that is one. */
export async function isHeartbeat({ system }: Services, token: string): Promise<boolean> {
  const hash = hashOf(token)
  return hash !== undefined && (await findHeartbeat(system, hash)) !== undefined
}

const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const

/**
 * A call that may change the stage: what it says and what that means are one transaction, so neither is lost alone. One
 * that comes too late does not undo that it was missed: its process may not have come to saying so.
 */
async function hear(work: WorkContext, clock: () => Date, beatId: number, call: Call & { at: Date }): Promise<boolean> {
  const { tx } = work
  const beat = await tx.findOne(Beat, { id: beatId }, locked)
  const heartbeat = beat && (await tx.findOne(Heartbeat, { beat_id: beatId }, locked))
  if (!beat || !heartbeat) return false
  // The beat is ours alone only now; and no two calls are one, though a clock may show both the same moment.
  const at = new Date(Math.max(clock().getTime(), (heartbeat.last_call_at?.getTime() ?? 0) + 1))
  const awaited = await expectsCalls(tx, beat)
  const { transition_number } = beat
  if (awaited && heartbeat.due_at < call.at) await recordMissedCalls({ ...work, now: at }, beat)
  note(heartbeat, call, at)
  if (!awaited) return false
  await observeStage({ ...work, now: at }, beatId, async (seen) =>
    observationOf(seen, heartbeat, {
      key: `heartbeat:${at.toISOString()}`,
      cause: `the call at ${at.toISOString()}`,
      evidence: call.evidence,
    }),
  )
  heartbeat.quiet = beat.current_stage === 'healthy' && heartbeat.failures === 0
  return beat.transition_number > transition_number
}

function note(heartbeat: Heartbeat, { kind, said }: Call, at: Date): void {
  const { started_at, failures, successes, schedule } = heartbeat
  const ok = kind === 'success'
  Object.assign(heartbeat, {
    last_call: said,
    last_call_at: at,
    duration_ms: started_at && Math.min(at.getTime() - started_at.getTime(), 2_147_483_647),
    started_at: null,
    failures: ok ? 0 : failures + 1,
    successes: ok ? successes + 1 : 0,
    // Who says that it failed has called: the same run is not missed as well.
    due_at: dueAfter(schedule, at),
  } satisfies Partial<Heartbeat>)
}

import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { answerCheck, secretNameOfCheck } from '../src/domain/beats/checks/requests.ts'
import { observeResults } from '../src/domain/beats/stage/evaluate-results.ts'
import { openTarget, secretNameOf } from '../src/domain/beats/targets/sealed-target.ts'
import type { Services } from '../src/domain/kernel/services.ts'
import { inUnitOfWork } from '../src/domain/kernel/unit-of-work.ts'
import { CheckImpossible } from '../src/outbound/connections/failure.ts'
import { insertResult } from '../src/persistence/beat-results.ts'
import { Beat } from '../src/persistence/entities/beat.ts'
import { CheckRequest } from '../src/persistence/entities/check-request.ts'
import { inPageTransaction } from '../src/persistence/transactions.ts'
import type { Checks, SubjectOfPage } from '../workflows/contract.ts'
import { type CheckedType, type CheckOutcome, checkFor } from './checks/index.ts'
import { rowOf } from './checks/row.ts'

interface RequestedCheck {
  request: CheckRequest
  type: CheckedType
  target: Record<string, unknown>
  /** The number of this target of the beat. */
  target_number: number
  timeout_ms: number
}

/** The reason why the check has no result. */
interface Problem {
  problem: string
}

/** Runs a requested check. The check of a saved beat counts like a scheduled check. */
export function createRunCheck(services: Services, signal: () => AbortSignal): Pick<Checks, 'runCheck'> {
  return {
    async runCheck({ page_id, id }: SubjectOfPage): Promise<void> {
      const requested = await inPageTransaction(services.app, page_id, (tx) => requestedCheck(services, tx, id))
      if (!requested) return
      const at = services.clock()
      const outcome = 'problem' in requested ? requested : await runRequested(services, requested, signal())
      await inUnitOfWork(services, page_id, async (work) => {
        const { tx, now } = work
        if ('problem' in outcome) {
          await answerCheck(tx, id, { ...outcome }, now)
          return
        }
        const { request, target_number } = requested as RequestedCheck
        const { beat_id, region, created_at } = request
        const problem = beat_id === null ? null : await outdated(tx, beat_id, target_number)
        if (problem) {
          await answerCheck(tx, id, { problem }, now)
          return
        }
        const row = { page_id, region, slot: null, target_number, due_at: created_at, at, ...rowOf(outcome) }
        const stored = beat_id === null ? undefined : await insertResult(tx, { beat_id, ...row })
        const answer = { ...(stored === undefined ? {} : { id: stored }), at: at.toISOString(), ...outcome }
        await answerCheck(tx, id, answer, now)
        if (beat_id !== null) await observeResults(work, beat_id)
      })
    },
  }
}

async function requestedCheck(
  { keyring }: Services,
  tx: EntityManager,
  id: number,
): Promise<RequestedCheck | Problem | null> {
  const request = await tx.findOne(CheckRequest, { id, answered_at: null })
  if (!request) return null
  if (request.beat_id === null) {
    const asked = request.asked as Pick<RequestedCheck, 'type' | 'target' | 'timeout_ms'>
    return {
      request,
      ...asked,
      target_number: 0,
      target: await openTarget(tx, keyring, secretNameOfCheck(request), asked.target),
    }
  }
  const beat = await tx.findOne(Beat, { id: request.beat_id })
  if (!beat) return { problem: 'the beat was deleted' }
  const target = await openTarget(tx, keyring, secretNameOf(beat), beat.target)
  const { type, target_number, timeout_ms } = beat
  return { request, type: type as RequestedCheck['type'], target, target_number, timeout_ms }
}

/** The reason why a result does not count for the present beat. Locks the beat, so that the answer stays true. */
async function outdated(tx: EntityManager, id: number, checked: number): Promise<string | null> {
  const beat = await tx.findOne(Beat, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
  if (!beat) return 'the beat was deleted'
  return beat.target_number !== checked
    ? 'the target of the beat was changed during the check: run the check again'
    : null
}

/** A check that this machine cannot or may not run is answered with a problem. */
async function runRequested(
  { beatTargets, ownPorts, evaluator }: Services,
  { request, type, target, timeout_ms }: RequestedCheck,
  signal: AbortSignal,
): Promise<CheckOutcome | Problem> {
  try {
    const outcome = await checkFor(type)(target, {
      signal,
      timeout_ms,
      guard: beatTargets,
      own_ports: ownPorts,
      evaluate: (evaluation) => evaluator.evaluate(request.page_id, evaluation),
    })
    return outcome.refused ? { problem: outcome.evidence } : outcome
  } catch (error) {
    if (error instanceof CheckImpossible) return { problem: error.message }
    throw error
  }
}

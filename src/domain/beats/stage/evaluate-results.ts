import { LockMode } from '@mikro-orm/postgresql'
import {
  insertResultsOf,
  type NewResult,
  type StoredResult,
  tailsOfMany,
  type WantedTail,
} from '../../../persistence/beat-results.ts'
import { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import type { ThresholdPolicies } from '../definition/thresholds.ts'
import { changeStage, laterOf, type Observation } from './observe.ts'
import { depthOf, isIll, meetsRuleOf, type ResultsByRegion, type Stage, stageFromResults } from './stage-rules.ts'

export const SILENT_REGION = { intervals: 3, atLeastMs: 15_000 }

/** A region that has been silent for longer says nothing about the present any more. */
export const silentAfterMs = ({ interval_seconds, timeout_ms }: Pick<Beat, 'interval_seconds' | 'timeout_ms'>) =>
  Math.max(SILENT_REGION.intervals * interval_seconds * 1000, SILENT_REGION.atLeastMs) + timeout_ms

/** What a lease knows of a beat: its stage, and whether any result at all is news. */
export interface KnownStage {
  stage: Stage | null
  unknown: boolean
}

/** Results of the beat were stored: they may change its stage. Its rules decide, over all that is stored of it. */
export async function observeResults(work: WorkContext, beatId: number): Promise<BeatTransition | null> {
  const changes = new Map<number, BeatTransition>()
  await evaluateResults(work, [beatId], [], changes)
  return changes.get(beatId) ?? null
}

/**
 * Stores new results and evaluates the stages of these beats, in one transaction: no result that could change a stage is
 * ever stored without having been evaluated. Each new result is evaluated in its order, as of its moment, so that results
 * that waited for the database miss no transition.
 */
export async function evaluateResults(
  work: WorkContext,
  beatIds: number[],
  fresh: NewResult[] = [],
  changes = new Map<number, BeatTransition>(),
): Promise<Map<number, KnownStage>> {
  const { tx } = work
  const where = { id: { $in: beatIds } }
  const beats = await tx.find(Beat, where, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    orderBy: { id: 'asc' },
    refresh: true,
  })
  work.now = laterOf(work.now, work.clock())
  await insertResultsOf(tx, fresh)
  const freshOf = Map.groupBy(fresh, ({ beat_id }) => beat_id)
  const enabled = beats.filter((beat) => beat.enabled)
  const stored = await tailsOfMany(
    tx,
    enabled.map((beat) => tailOf(beat, freshOf.get(beat.id) ?? [], work.now)),
  )
  for (const beat of enabled) {
    const results = stored.get(beat.id) ?? []
    for (const moment of momentsOf(beat, freshOf.get(beat.id) ?? [], work.now)) {
      const seen = evaluate(beat, resultsAsOf(results, moment), moment.at)
      if (!seen) continue
      beat.unknown_since = null
      beat.unknown_because = null
      if (seen.stage !== beat.current_stage) changes.set(beat.id, changeStage(work, beat, seen))
    }
  }
  await tx.flush()
  return new Map(
    beats.map(({ id, current_stage, unknown_since }) => [
      id,
      { stage: current_stage as Stage | null, unknown: unknown_since !== null },
    ]),
  )
}

/** When a beat is evaluated: at each new result of its present target, or now where there is none. */
interface Moment {
  at: Date
  /** Evaluates only what was stored by then; absent for the last moment, which sees everything. */
  upTo?: NewResult
}

function momentsOf({ target_number }: Beat, fresh: NewResult[], now: Date): Moment[] {
  const ours = fresh
    .filter((result) => result.target_number === target_number)
    .sort((a, b) => a.due_at.getTime() - b.due_at.getTime())
  const last = ours.at(-1)
  if (!last) return [{ at: now }]
  return [...ours.slice(0, -1).map((upTo) => ({ at: upTo.at, upTo })), { at: last.at }]
}

function resultsAsOf(results: StoredResult[], { upTo }: Moment): StoredResult[] {
  if (!upTo) return results
  return results.filter(({ region, due_at, at }) => (region === upTo.region ? due_at <= upTo.due_at : at <= upTo.at))
}

/** As far back as the rules look. While a check runs into its timeout, slots pass: the check counts for all of them. */
function tailOf(beat: Beat, fresh: NewResult[], now: Date): WantedTail {
  const depth = depthOf(beat.threshold_policies as ThresholdPolicies)
  const first = Math.min(now.getTime(), ...fresh.map(({ due_at }) => due_at.getTime()))
  return {
    beat_id: beat.id,
    target_number: beat.target_number,
    regions: beat.regions,
    depth: depth + fresh.length,
    since: new Date(first - (depth + 1) * silentAfterMs(beat)),
  }
}

function evaluate(beat: Beat, stored: StoredResult[], now: Date): Observation | null {
  const policies = beat.threshold_policies as ThresholdPolicies
  const silent = silentAfterMs(beat)
  const depth = depthOf(policies)
  const heard = new Map<string, StoredResult[]>()
  for (const [region, results] of Map.groupBy(stored, (one) => one.region)) {
    const [newest] = results
    if (newest && newest.at.getTime() >= now.getTime() - silent) heard.set(region, results.slice(0, depth))
  }
  const told = [...heard.values()].flat().sort((a, b) => b.due_at.getTime() - a.due_at.getTime())
  if (told.length === 0) return null
  const stage = stageFromResults(policies, heard satisfies ResultsByRegion, beat.current_stage as Stage | null)
  return stage && asObservation(beat, stage, witnessOf(policies, told, stage))
}

/** Of an ill beat the newest that shows it tells the story, though others may have come after it. */
const witnessOf = (policies: ThresholdPolicies, told: StoredResult[], stage: Stage) =>
  (isIll(stage)
    ? (told.find((seen) => meetsRuleOf(policies, stage, seen)) ?? told.find(({ ok }) => !ok))
    : undefined) ?? told[0]!

function asObservation(beat: Beat, stage: Stage, witness: StoredResult): Observation {
  const { latency_ms, status_code, region, due_at } = witness
  const check = `${region}:${due_at.toISOString()}`
  return {
    stage,
    // Of what is judged anew from all that is stored, only the place in the order makes it this one: another region's
    // result may come later and be of an earlier moment.
    key: `check:${beat.transition_number + 1}:${check}`,
    cause: `the check from ${region} at ${due_at.toISOString()}`,
    evidence: witness.evidence,
    facts: { region, ...(latency_ms === null ? {} : { latency_ms }), ...(status_code === null ? {} : { status_code }) },
  }
}

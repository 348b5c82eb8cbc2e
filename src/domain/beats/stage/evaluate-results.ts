import {
  insertResultsOf,
  type NewResult,
  type StoredResult,
  tailsOfMany,
  type WantedTail,
} from '../../../persistence/beat-results.ts'
import type { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import type { ThresholdPolicies } from '../definition/thresholds.ts'
import { lockBeats } from './lock-beats.ts'
import { applyObservation, laterOf, type Observation } from './observe.ts'
import { depthOf, isIll, meetsRuleOf, type ResultsByRegion, type Stage, stageFromResults } from './stage-rules.ts'

export const SILENT_REGION = { intervals: 3, atLeastMs: 15_000 }

/** The results of a region without a newer result for this long do not count any more. */
export const silentAfterMs = ({ interval_seconds, timeout_ms }: Pick<Beat, 'interval_seconds' | 'timeout_ms'>) =>
  Math.max(SILENT_REGION.intervals * interval_seconds * 1000, SILENT_REGION.atLeastMs) + timeout_ms

/** The state of a beat for a lease: its last stage, and whether the stage is unknown at present. */
export interface KnownStage {
  stage: Stage | null
  unknown: boolean
}

/** Evaluates the stage of a beat by its stored results. */
export async function observeResults(work: WorkContext, beatId: number): Promise<BeatTransition | null> {
  const changes = new Map<number, BeatTransition>()
  await evaluateResults(work, [beatId], [], changes)
  return changes.get(beatId) ?? null
}

/**
 * Stores new results and evaluates the stages of these beats in one transaction: no result that could change a stage is
 * stored without an evaluation. Evaluates each new result in order and as of its moment, so that results that waited for the
 * database miss no transition.
 */
export async function evaluateResults(
  work: WorkContext,
  beatIds: number[],
  fresh: NewResult[] = [],
  changes = new Map<number, BeatTransition>(),
): Promise<Map<number, KnownStage>> {
  const { tx } = work
  const beats = await lockBeats(work, { id: { $in: beatIds } })
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
      const observation = evaluate(beat, resultsAsOf(results, moment), moment.at)
      if (!observation) continue
      const transition = applyObservation(work, beat, observation)
      if (transition) changes.set(beat.id, transition)
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

/** A moment of evaluation: of each new result of the present target, or now without new results. */
interface Moment {
  at: Date
  /** The evaluation ignores results after this result; absent for the last moment, which uses all results. */
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

/** The results that the rules need. A check that runs into its timeout covers several slots, which `since` allows for. */
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
  const recent = new Map<string, StoredResult[]>()
  for (const [region, results] of Map.groupBy(stored, (one) => one.region)) {
    const [newest] = results
    if (newest && newest.at.getTime() >= now.getTime() - silent) recent.set(region, results.slice(0, depth))
  }
  const newestFirst = [...recent.values()].flat().sort((a, b) => b.due_at.getTime() - a.due_at.getTime())
  if (newestFirst.length === 0) return null
  const stage = stageFromResults(policies, recent satisfies ResultsByRegion, beat.current_stage as Stage | null)
  return stage && asObservation(beat, stage, decisiveResult(policies, newestFirst, stage))
}

/** The result whose evidence the transition shows: for warning and critical the newest result that meets the rule. */
const decisiveResult = (policies: ThresholdPolicies, newestFirst: StoredResult[], stage: Stage) =>
  (isIll(stage)
    ? (newestFirst.find((result) => meetsRuleOf(policies, stage, result)) ?? newestFirst.find(({ ok }) => !ok))
    : undefined) ?? newestFirst[0]!

function asObservation(beat: Beat, stage: Stage, result: StoredResult): Observation {
  const { latency_ms, status_code, region, due_at } = result
  const check = `${region}:${due_at.toISOString()}`
  return {
    stage,
    // The number makes the key unique: an evaluation uses results of all regions, and a later result of another region may
    // have an earlier due moment.
    key: `check:${beat.transition_number + 1}:${check}`,
    cause: `the check from region ${region} at ${due_at.toISOString()}`,
    evidence: result.evidence,
    facts: { region, ...(latency_ms === null ? {} : { latency_ms }), ...(status_code === null ? {} : { status_code }) },
  }
}

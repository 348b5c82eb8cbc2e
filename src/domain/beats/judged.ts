import { type StoredResult, tailsOf } from '../../persistence/beat-results.ts'
import type { Beat } from '../../persistence/entities/beat.ts'
import type { Scene } from '../kernel/scene.ts'
import { type Observation, observe } from './observe.ts'
import { depthOf, isIll, judge, type Regions, type Stage, shows } from './stage-rules.ts'
import type { ThresholdPolicies } from './thresholds.ts'

export const silence = { intervals: 3, atLeastMs: 15_000 }

/** A region that has been silent for longer says nothing about the present any more. */
export const silentAfterMs = ({ interval_seconds, timeout_ms }: Pick<Beat, 'interval_seconds' | 'timeout_ms'>) =>
  Math.max(silence.intervals * interval_seconds * 1000, silence.atLeastMs) + timeout_ms

/** Results of the beat were stored: they may change its stage. Its rules decide, over all that is stored of it. */
export const observeResults = (scene: Scene, beatId: number) =>
  observe(scene, beatId, (beat) => judgeResults(scene, beat))

async function judgeResults({ tx, now }: Scene, beat: Beat): Promise<Observation | null> {
  const policies = beat.threshold_policies as ThresholdPolicies
  const silent = silentAfterMs(beat)
  const depth = depthOf(policies)
  // As far back as the rules look. While a check runs into its timeout, slots pass: it counts for all of that time.
  const since = new Date(now.getTime() - (depth + 1) * silent)
  const results = await tailsOf(tx, beat, { regions: beat.regions, depth, since })
  const heard = Map.groupBy(results, ({ region }) => region)
  for (const [region, [newest]] of heard) {
    if (newest && newest.at.getTime() < now.getTime() - silent) heard.delete(region)
  }
  const told = [...heard.values()].flat().sort((a, b) => b.due_at.getTime() - a.due_at.getTime())
  if (told.length === 0) return null
  const stage = judge(policies, heard satisfies Regions, beat.current_stage as Stage | null)
  return stage && asObservation(beat, stage, witnessOf(policies, told, stage))
}

/** Of an ill beat the newest that shows it tells the story, though others may have come after it. */
const witnessOf = (policies: ThresholdPolicies, told: StoredResult[], stage: Stage) =>
  (isIll(stage) ? (told.find((seen) => shows(policies, stage, seen)) ?? told.find(({ ok }) => !ok)) : undefined) ??
  told[0]!

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

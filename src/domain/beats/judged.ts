import { type StoredResult, tailsOf } from '../../persistence/beat-results.ts'
import type { Beat } from '../../persistence/entities/beat.ts'
import type { Scene } from '../kernel/scene.ts'
import { type Observation, observe } from './observe.ts'
import { depthOf, judge, type Regions, type Stage } from './stage-rules.ts'
import type { ThresholdPolicies } from './thresholds.ts'

/** A region that has been silent for longer says nothing about the present any more. */
const SILENT_INTERVALS = 3
const SILENT_AT_LEAST_MS = 15_000

const silentAfterMs = ({ interval_seconds, timeout_ms }: Beat) =>
  Math.max(SILENT_INTERVALS * interval_seconds * 1000, SILENT_AT_LEAST_MS) + timeout_ms

/** Results of the beat were stored: they may change its stage. Its rules decide, over all that is stored of it. */
export const observeResults = (scene: Scene, beatId: number) =>
  observe(scene, beatId, (beat) => judgeResults(scene, beat))

async function judgeResults({ tx, now }: Scene, beat: Beat): Promise<Observation | null> {
  const policies = beat.threshold_policies as ThresholdPolicies
  const silent = silentAfterMs(beat)
  const depth = depthOf(policies)
  // As far back as the rules look; of whom the newest is older than that, nothing counts.
  const since = new Date(now.getTime() - silent - depth * beat.interval_seconds * 1000)
  const results = await tailsOf(tx, beat.id, { regions: beat.regions, depth, since })
  const heard = Map.groupBy(results, ({ region }) => region)
  for (const [region, [newest]] of heard) {
    if (newest && newest.at.getTime() < now.getTime() - silent) heard.delete(region)
  }
  const told = [...heard.values()].flat().sort((a, b) => b.due_at.getTime() - a.due_at.getTime())
  const [newest] = told
  if (!newest) return null
  const stage = judge(policies, heard satisfies Regions, beat.current_stage as Stage | null)
  return stage && asObservation(beat, stage, newest, witnessOf(told, stage))
}

/** Of an ill beat the newest that shows it tells the story, though another region may be well. */
const witnessOf = (told: StoredResult[], stage: Stage) =>
  (stage === 'healthy' ? undefined : told.find(({ ok }) => !ok)) ?? told[0]!

function asObservation(beat: Beat, stage: Stage, newest: StoredResult, witness: StoredResult): Observation {
  const { latency_ms, status_code, region } = witness
  const due = newest.due_at.toISOString()
  return {
    stage,
    key: `check:${newest.region}:${due}:${beat.config_version}`,
    cause: `the check from ${newest.region} at ${due}`,
    evidence: witness.evidence,
    facts: { region, ...(latency_ms === null ? {} : { latency_ms }), ...(status_code === null ? {} : { status_code }) },
  }
}

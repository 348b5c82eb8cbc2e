import type { ThresholdPolicies } from '../../src/domain/beats/definition/thresholds.ts'
import { silentAfterMs } from '../../src/domain/beats/stage/evaluate-results.ts'
import { depthOf, type Stage } from '../../src/domain/beats/stage/stage-rules.ts'
import { mergeSecrets, type Parts } from '../../src/domain/beats/targets/split-secrets-rules.ts'
import { sealOf } from '../../src/domain/kernel/secrets.ts'
import type { Services } from '../../src/domain/kernel/services.ts'
import { tailsFrom } from '../../src/persistence/system/beat-results.ts'
import { type BeatToCheck, beatsToCheck } from '../../src/persistence/system/shards.ts'
import type { BeatConfig } from './beat-config.ts'
import { localPolicies } from './local-stage-rules.ts'

type Sources = Pick<Services, 'system' | 'keyring' | 'clock' | 'logger'>

/** Reads beats with their secrets and with their last results of this region, in two queries for all beats. */
export async function loadBeats(services: Sources, region: string, ids: number[]): Promise<BeatConfig[]> {
  if (ids.length === 0) return []
  const beats = await beatsToCheck(services.system, ids)
  const now = services.clock().getTime()
  const depths = new Map(beats.map((beat) => [beat.id, depthOf(beat.threshold_policies as ThresholdPolicies)]))
  const wanted = beats.map((beat) => {
    const depth = depths.get(beat.id)!
    // As far back as `evaluateResults` looks.
    const since = new Date(now - (depth + 1) * silentAfterMs(beat))
    return { beat_id: beat.id, depth, since, target_number: beat.target_number }
  })
  const tails = Map.groupBy(await tailsFrom(services.system, region, wanted), ({ beat_id }) => beat_id)
  return beats.flatMap((beat) => {
    const target = targetOf(services, beat)
    if (!target) return []
    const tail = (tails.get(beat.id) ?? []).map(({ beat_id, due_at, ...seen }) => ({ ...seen, due: due_at.getTime() }))
    const { id, page_id, config_version, target_number, interval_seconds, timeout_ms } = beat
    return {
      ...{ id, page_id, config_version, target_number, interval_seconds, timeout_ms, target, tail },
      type: beat.type as BeatConfig['type'],
      policies: localPolicies(beat.threshold_policies as ThresholdPolicies),
      depth: depths.get(id)!,
      known: { stage: beat.current_stage as Stage | null, unknown: beat.unknown },
    }
  })
}

function targetOf({ keyring, logger }: Sources, { id, target, secret }: BeatToCheck): object | undefined {
  if (!secret) return target
  try {
    return mergeSecrets(target, JSON.parse(keyring.decrypt(secret, sealOf(secret))) as Parts)
  } catch (error) {
    logger.error({ beat_id: id, err: error }, 'a beat cannot be checked: its secrets cannot be decrypted')
    return undefined
  }
}

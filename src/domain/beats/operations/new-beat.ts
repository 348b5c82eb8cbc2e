import { LockMode } from '@mikro-orm/postgresql'
import type { z } from 'zod'
import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { defaultsOf, newValues } from '../../kernel/fields.ts'
import { settingsOf } from '../../settings/stored.ts'
import { translateNew } from '../../translations/write.ts'
import { beatConfigChanged, membersChanged } from '../changes/config-changed.ts'
import { requestedMute } from '../changes/mute.ts'
import { mapComponents } from '../definition/components.ts'
import { beatFields } from '../definition/fields.ts'
import { groupIdOf } from '../definition/group-reference.ts'
import { beatName } from '../definition/naming-rules.ts'
import { checkPolicies } from '../definition/policy-checks.ts'
import {
  affectedProblems,
  DEFAULT_INTERVAL_SECONDS,
  defaultTimeoutMs,
  intervalProblems,
  metricsComponent,
  metricsProblems,
  thresholdProblems,
} from '../definition/rules.ts'
import type { BeatCreateRequest } from '../definition/schema.ts'
import { impossibleThresholds } from '../definition/threshold-problems.ts'
import { beginHeartbeat } from '../heartbeats/token.ts'
import { initialState } from '../stage/transition.ts'
import { sealTarget, secretNameOf } from '../targets/sealed-target.ts'
import { splitSecrets } from '../targets/split-secrets-rules.ts'
import { readTarget } from '../targets/target.ts'
import { descriptionOf } from '../types/index.ts'

type Input = z.output<typeof BeatCreateRequest>

/** Creates a beat without any result. */
export async function newBeat(ctx: Context, input: Input): Promise<Beat> {
  const { tx } = ctx
  const target = await readTarget(ctx, input.type, input.target as Record<string, unknown>)
  await checkPolicies(ctx, input)
  const beat_group_id = (await groupIdOf(ctx, input)) ?? null
  await requireGroup(ctx, beat_group_id)
  const beat = tx.create(Beat, { ...(await columnsOf(ctx, input)), beat_group_id, target: splitSecrets(target).shown })
  checkRules(beat, input)
  await tx.flush()
  await sealTarget(ctx, secretNameOf(beat), target)
  checkMappedItems(beat, await mapComponents(ctx, ['beat', beat.id], input), input.public_metrics_component_id)
  await translateNew(ctx, ['beat', beat.id], input.message_policy_translations)
  await beginHeartbeat(ctx, beat)
  beatConfigChanged(ctx, beat, `the creation of the ${beatName(beat)}`)
  await membersChanged(ctx, [beat.beat_group_id])
  return beat
}

async function columnsOf(ctx: Context, input: Input) {
  return {
    page_id: ctx.page.id,
    external_id: input.external_id ?? null,
    create_hash: ctx.createHash,
    ...newValues(beatFields, input, await beatDefaults(ctx, input)),
    muted_until: requestedMute(ctx, input.muted_until) ?? null,
    ...initial,
    version: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
}

/** The values of the fields that a create or a PUT leaves out. */
export const beatDefaults = async (ctx: Context, { interval_seconds = DEFAULT_INTERVAL_SECONDS }: Input) =>
  defaultsOf(beatFields, { timeout_ms: defaultTimeoutMs(interval_seconds), regions: [await defaultRegion(ctx)] })

/** The region of a beat without `regions`. */
export async function defaultRegion({ tx, services }: Context): Promise<string> {
  return (await settingsOf(tx)).synthetics_region || services.regions[0]!
}

const initial = {
  ...{ ...initialState(), unknown_since: null, unknown_because: null },
  ...{ config_version: 0, target_number: 0, counted_stage: null },
}

/** Locks the group that a beat joins, so that no concurrent request deletes the group. */
export async function requireGroup({ tx }: Context, id: number | null | undefined): Promise<void> {
  if (id === undefined || id === null) return
  if (await tx.findOne(BeatGroup, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })) return
  throw invalid([{ path: 'beat_group_id', message: `there is no beat group with id ${id} on this page` }])
}

/** Refuses a beat that breaks a rule on its own or with the fields of the request. */
export function checkRules(beat: Beat, request: { [name in keyof Input]?: unknown }): void {
  const description = descriptionOf(beat.type)
  const reported = description.stageFrom !== 'checks'
  const problems = [...thresholdProblems(beat, reported), ...impossibleThresholds(beat, request)]
  if (reported) problems.push(...intervalProblems(beat.type, request.interval_seconds, description.schedule))
  if (problems.length > 0) throw invalid(problems)
}

/** Refuses a beat without the items that it needs, and sets the item of its public metrics. */
export function checkMappedItems(beat: Beat, mapped: number[], requested: number | null | undefined): void {
  const problems = [...affectedProblems(beat, mapped.length), ...metricsProblems(beat, mapped, requested)]
  if (problems.length > 0) throw invalid(problems)
  beat.public_metrics_component_id = metricsComponent(beat, mapped)
}

import type { EntityManager } from '@mikro-orm/postgresql'
import { lastEvaluated } from '../../../persistence/beats.ts'
import type { Beat } from '../../../persistence/entities/beat.ts'
import type { Context } from '../../kernel/context.ts'
import { mayDo } from '../../kernel/permissions.ts'
import { translationsOf } from '../../translations/read.ts'
import { callsOf } from '../heartbeats/calls.ts'
import { heartbeatUrl } from '../heartbeats/token.ts'
import { componentsOf } from './components.ts'
import { compactState, openIncidents, snapshotBeat, stateOf } from './snapshot.ts'

const idsOf = (beats: Beat[]) => beats.map(({ id }) => id)

export async function presentCompact(tx: EntityManager, beats: Beat[]) {
  const components = await componentsOf(tx, 'beat', idsOf(beats))
  const open = await openIncidents(tx, beats)
  const evaluated = await lastEvaluated(tx, idsOf(beats))
  return beats.map((beat) => {
    const { id, name, description, external_id, type, beat_group_id, enabled, interval_seconds, impact, ...rest } =
      snapshotBeat(beat)
    const { automation_paused, muted_until, version, created_at, updated_at } = rest
    return {
      ...{ id, status_page_id: beat.page_id, name, description, external_id, type, beat_group_id, enabled },
      ...{ interval_seconds, impact, automation_paused, muted_until },
      has_component_warnings: components(id).component_warnings.length > 0,
      ...compactState(beat, open, evaluated.get(id)?.evidence),
      ...{ version, created_at, updated_at },
    }
  })
}

/** Full beats, in a fixed number of queries. */
export async function presentFull({ tx }: Context, beats: Beat[]) {
  const ids = idsOf(beats)
  const components = await componentsOf(tx, 'beat', ids)
  const open = await openIncidents(tx, beats)
  const evaluated = await lastEvaluated(tx, ids)
  const calls = await callsOf(tx, beats)
  const translations = await translationsOf(tx, { beat: beats })
  return beats.map((beat) => ({
    ...snapshotBeat(beat),
    status_page_id: beat.page_id,
    ...components(beat.id),
    has_component_warnings: components(beat.id).component_warnings.length > 0,
    ...stateOf(beat, open, evaluated.get(beat.id)?.evidence),
    unknown_since: beat.unknown_since?.toISOString(),
    unknown_because: beat.unknown_because ?? undefined,
    heartbeat: calls(beat.id),
    last_evaluated_at: evaluated.get(beat.id)?.at.toISOString(),
    message_policy_translations: translations('beat', beat.id),
  }))
}

/** One beat. For actors who may change beats with `heartbeat_url`, the address that the target of a heartbeat calls. */
export async function presentOne(ctx: Context, beat: Beat) {
  const [full] = await presentFull(ctx, [beat])
  const writes = ctx.actor.kind !== 'anonymous' && mayDo(ctx.actor, 'beats', 'write')
  return { ...full!, heartbeat_url: writes ? await heartbeatUrl(ctx, beat) : undefined }
}

import type { EntityManager } from '@mikro-orm/postgresql'
import { lastEvaluated } from '../../../persistence/beats.ts'
import type { Beat } from '../../../persistence/entities/beat.ts'
import type { Context } from '../../kernel/context.ts'
import { compact, valuesOf } from '../../kernel/fields.ts'
import { mayDo } from '../../kernel/permissions.ts'
import { translationsOf } from '../../translations/read.ts'
import { callsOf } from '../heartbeats/calls.ts'
import { heartbeatUrl } from '../heartbeats/token.ts'
import { componentsOf } from './components.ts'
import { beatFields } from './fields.ts'
import { openFingerprintsOf } from './shown-fingerprints.ts'
import { compactState, identityOf, openIncidents, snapshotBeat, stateOf } from './snapshot.ts'

const listedFields = compact(beatFields)

const idsOf = (beats: Beat[]) => beats.map(({ id }) => id)

export async function presentCompact(tx: EntityManager, beats: Beat[]) {
  const components = await componentsOf(tx, 'beat', idsOf(beats))
  const open = await openIncidents(tx, beats)
  const evaluated = await lastEvaluated(tx, idsOf(beats))
  return beats.map((beat) => ({
    ...identityOf(beat),
    status_page_id: beat.page_id,
    ...valuesOf(listedFields, beat),
    has_component_warnings: components(beat.id).component_warnings.length > 0,
    ...compactState(beat, open, evaluated.get(beat.id)?.evidence),
  }))
}

/** Full beats, in a fixed number of queries. */
export async function presentFull({ tx }: Context, beats: Beat[]) {
  const ids = idsOf(beats)
  const components = await componentsOf(tx, 'beat', ids)
  const open = await openIncidents(tx, beats)
  const evaluated = await lastEvaluated(tx, ids)
  const calls = await callsOf(tx, beats)
  const fingerprints = await openFingerprintsOf(tx, beats)
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
    open_fingerprints: fingerprints(beat),
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

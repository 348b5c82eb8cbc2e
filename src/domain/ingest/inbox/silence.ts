import { LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import type { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import { fingerprintsOf, nextSilence, saveFingerprints, silentFingerprints } from '../../../persistence/ingest.ts'
import { changeStage } from '../../beats/stage/observe.ts'
import type { StepContext } from '../../kernel/step.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { addState, emptyBook, type FingerprintState, stageByFingerprints } from '../decisions/decide.ts'
import { endpointName } from '../endpoints/subject.ts'
import { fingerprintFrom, storedFingerprint } from './stored-fingerprints.ts'

/** Resolves the fingerprints without an event within their silence timeout. Answers the next such moment. */
export async function endSilentFingerprints(ctx: StepContext, endpoint: IngestEndpoint): Promise<Date | null> {
  const next = await nextSilence(ctx.tx, endpoint.id)
  if (next === null || next > ctx.now) return next
  const silent = await silentFingerprints(ctx.tx, endpoint.id, ctx.now)
  for (const row of silent) {
    const state = fingerprintFrom(row)
    const last = new Date(state.last_event_at).toISOString()
    const cause = `the silence of the fingerprint "${state.fingerprint}" at the ${endpointName(endpoint)} since ${last}`
    await closeFingerprint(ctx, state, cause)
    ctx.note(
      'silence',
      `the fingerprint "${state.fingerprint}" of the beat ${state.beat_id} is resolved: no event since ${last}`,
    )
  }
  return nextSilence(ctx.tx, endpoint.id)
}

/** Resolves a fingerprint without an event. The beat is healthy once no fingerprint is open. */
export async function closeFingerprint(work: WorkContext, state: FingerprintState, cause: string): Promise<void> {
  const { tx, pageId, now } = work
  const where = { id: state.beat_id }
  const beat = await tx.findOne(Beat, where, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
  Object.assign(state, { stage: 'healthy', since: now.getTime(), silent_at: null } satisfies Partial<FingerprintState>)
  await saveFingerprints(tx, pageId, [storedFingerprint(state)])
  if (!beat?.enabled) return
  const book = emptyBook()
  for (const row of await fingerprintsOf(tx, [beat.id], { endpointId: state.endpoint_id, fingerprints: [] })) {
    addState(book, fingerprintFrom(row))
  }
  const stage = stageByFingerprints(book, beat.id)
  if (stage === beat.current_stage) return
  const key = `fingerprint:${beat.transition_number + 1}:${state.fingerprint}`
  changeStage(work, beat, { stage, key, cause, evidence: `Resolved by ${cause}` })
  await tx.flush()
}

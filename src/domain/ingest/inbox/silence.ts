import type { Beat } from '../../../persistence/entities/beat.ts'
import type { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import { nextSilence, saveFingerprints, silentFingerprints } from '../../../persistence/fingerprints.ts'
import { beatName } from '../../beats/definition/naming-rules.ts'
import { lockBeats } from '../../beats/stage/lock-beats.ts'
import { laterOf } from '../../beats/stage/observe.ts'
import { applyOpenFingerprints } from '../../beats/stage/open-fingerprints.ts'
import type { StepContext } from '../../kernel/step.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import type { FingerprintState } from '../decisions/decide.ts'
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
    const beat = await closeFingerprint(ctx, state, cause)
    ctx.note(
      'silence',
      `the fingerprint "${state.fingerprint}" of the ${beat ? beatName(beat) : `beat ${state.beat_id}`} is resolved: no event since ${last}`,
    )
  }
  return nextSilence(ctx.tx, endpoint.id)
}

/** Resolves a fingerprint without an event. The beat is healthy once no fingerprint is open. */
export async function closeFingerprint(
  work: WorkContext,
  state: FingerprintState,
  cause: string,
): Promise<Beat | undefined> {
  const { tx, pageId } = work
  const [beat] = await lockBeats(work, { id: state.beat_id })
  work.now = laterOf(work.now, work.clock())
  const closed = { ...state, stage: 'healthy' as const, since: work.now.getTime(), silent_at: null }
  await saveFingerprints(tx, pageId, [storedFingerprint(closed)])
  if (!beat?.enabled) return beat
  await applyOpenFingerprints(work, beat, { key: `fingerprint:${state.fingerprint}`, cause })
  await tx.flush()
  return beat
}

import type { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import { seenEventIds } from '../../../persistence/event-evaluations.ts'
import { fingerprintsOf } from '../../../persistence/fingerprints.ts'
import type { Stage } from '../../beats/stage/stage-rules.ts'
import type { StepContext } from '../../kernel/step.ts'
import { addState, identify, type Known, nothingKnown, seenKey } from '../decisions/decide.ts'
import type { BeatsOfTrigger } from '../triggers/associations.ts'
import type { Matched } from './match-batch.ts'
import { openPauses } from './pauses.ts'
import { fingerprintFrom } from './stored-fingerprints.ts'

/** The fingerprints and event ids that the decisions on this batch depend on. */
export async function readKnown(
  { tx }: StepContext,
  endpoint: IngestEndpoint,
  matched: Matched[],
  beatsOf: BeatsOfTrigger,
): Promise<Known> {
  const known = nothingKnown()
  const fingerprints = new Set<string>()
  const ids = new Map<string, [number, string]>()
  const beatIds = new Set<number>()
  const pause = openPauses()
  for (const { event, found } of matched) {
    for (const { trigger, match } of found) {
      if (typeof match === 'string') continue
      for (const [element, one] of match.elements.entries()) {
        await pause(1)
        if (!one.matched || one.stage === null) continue
        const place = { id: event.id, receivedAt: event.received_at.getTime() }
        const finding = { rule: trigger, event: place, element, match: one, beatIds: [] }
        const { fingerprint, external_event_id } = identify(finding, one.stage as Stage)
        fingerprints.add(fingerprint)
        ids.set(seenKey(trigger.id, external_event_id), [trigger.id, external_event_id])
        for (const id of beatsOf(trigger).stage) beatIds.add(id)
      }
    }
  }
  const named = { endpointId: endpoint.id, fingerprints: [...fingerprints] }
  for (const row of await fingerprintsOf(tx, [...beatIds], named)) {
    addState(known, fingerprintFrom(row))
  }
  for (const key of await seenEventIds(tx, [...ids.values()])) known.seen.add(key)
  return known
}

import type { SlotName } from '../intents/intent.ts'
import type { RecordKind } from '../types.ts'

/** The kinds of records that a slot can hold. */
export const kindsOf: Partial<Record<SlotName, RecordKind[]>> = {
  item: ['item'],
  items: ['item'],
  incident: ['incident'],
  maintenance: ['maintenance'],
  series: ['series'],
  beat: ['beat', 'beat_group'],
  action: ['action'],
  endpoint: ['endpoint'],
}

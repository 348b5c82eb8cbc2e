import type { Intent, SlotName } from '../intents/intent.ts'
import type { Clause, Text } from '../text.ts'
import type { Slots } from '../types.ts'
import type { TextPart } from './texts.ts'

export interface FillScope {
  text: Text
  clause: Clause
  intent: Intent
  /** The words of the phrase. */
  phrase: ReadonlySet<number>
  texts: TextPart[]
  /** What a correction of the last turn keeps. */
  base?: Slots
}

/** The slots of an intent while they are filled. */
export interface Filling extends FillScope {
  names: ReadonlySet<SlotName>
  slots: Slots
  used: Set<number>
  unclear: { from: number; text: string }[]
}

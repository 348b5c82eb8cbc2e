import { labelsFor } from '../../languages/labels.ts'
import type { Reading } from '../translations/languages.ts'
import { automaticTextIn } from './automatic-text-rules.ts'

/** The message of an unedited automatic entry in the language of a reader; nothing for other entries. */
export function automaticIn({ language }: Reading, entry: { message: string; status: string }) {
  const message = automaticTextIn(labelsFor(language), entry)
  return message === undefined ? {} : { message }
}

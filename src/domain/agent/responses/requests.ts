import { pluralOf } from '../../kernel/text-rules.ts'
import type { Found, RecordSlot } from '../language/types.ts'
import type { DraftStep, PlanReply, Question } from '../response-types.ts'
import { isRecord, named, plain, words } from './text.ts'

/** The reply to a request: its steps once nothing required is missing, and the questions for what is missing. */
export function planOf(
  title: string,
  { questions, steps, records = [] }: { questions: Question[]; steps: () => DraftStep[]; records?: RecordSlot[] },
): PlanReply {
  const open = questions.some(({ required }) => required)
  const drafted = open ? [] : steps()
  const asked = questions.map(({ prompt }) => prompt).join(' ')
  const summary = open ? asked : drafted.map(({ effect }) => effect ?? title).join(' ')
  return { outcome: 'plan', title, summary, steps: drafted, questions, records }
}

export const ask = (key: string, kind: Question['kind'], prompt: string): Question => ({
  key,
  kind,
  prompt,
  required: true,
})

/** The question for an end that has passed. */
export const askLater = (until: string | undefined, now: Date, what: string): Question[] =>
  until && Date.parse(until) <= now.getTime()
    ? [ask('until', 'datetime', `The end of the ${what} would be in the past. Until when shall the ${what} last?`)]
    : []

/** The question for a record that a request names approximately or not at all. */
export function askRecord(key: string, found: Found | undefined, options: RecordSlot[], verb: string): Question {
  const kind = found?.kind ?? options[0]?.kind
  const word = kind ? words[kind] : key
  const text = found && 'text' in found && found.text !== '' ? found.text : undefined
  const candidates = found && 'candidates' in found && found.candidates.length > 0 ? found.candidates : options
  const problem =
    text === undefined
      ? ''
      : found && 'candidates' in found && found.candidates.length > 0
        ? `“${plain(text, 120)}” can be several ${pluralOf(word)}. `
        : `This page has no ${word} “${plain(text, 120)}”. `
  return {
    ...ask(key, 'record', `${problem}Which ${word} shall I ${verb}?`),
    options: candidates.slice(0, 20).map(({ id, name }) => ({ value: String(id), label: `${name} (${id})` })),
  }
}

export const recordsIn = (...found: (Found | undefined)[]): RecordSlot[] => found.filter(isRecord)

export const nameOf = ({ name, id }: RecordSlot): string => named(name, id)

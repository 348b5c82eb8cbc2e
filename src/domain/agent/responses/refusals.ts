import { type FieldError, Problem } from '../../kernel/errors.ts'
import { pluralOf } from '../../kernel/text-rules.ts'
import type { Found, Understanding } from '../language/types.ts'
import type { TextReply } from '../response-types.ts'
import { bullets, escaped, named, plain, words } from './text.ts'

const reasons = {
  not_understood: 'I did not understand this message.',
  negated: 'The message asks for nothing to be done, so I drafted nothing.',
  quoted: 'The message only quotes a command, so I drafted nothing.',
  limited:
    'I drafted nothing: I cannot plan exceptions, repetitions, changes of everything, changes without notifications, occurrences by their number, or times in a zone such as Europe/Berlin. Name each record, name an occurrence by its day, and give times in the zone of the page.',
  hypothetical: 'The message asks about a possible change, so I drafted nothing.',
}

export function notUnderstood({ because, unclear }: Extract<Understanding, { kind: 'none' }>): TextReply {
  const isUnread = because === 'not_understood' && unclear.length > 0
  const parts = isUnread ? `I could not read ${unclear.map((part) => `“${plain(part, 120)}”`).join(', ')}.` : ''
  const help = 'Ask “what can you do?” for examples.'
  const markdown = [reasons[because], parts, help].filter(Boolean).join(' ')
  return {
    outcome: 'not_understood',
    title: 'Not understood',
    summary: reasons[because],
    markdown: escaped(markdown),
    records: [],
  }
}

export function notPermitted(message: string): TextReply {
  const markdown = escaped(`The token may not read what the answer needs. ${message}`)
  return { outcome: 'not_permitted', title: 'Not permitted', summary: message, markdown, records: [] }
}

/** The answer to a message whose reads or steps an operation refused. Every other error is thrown again. */
export function refusedBy(error: unknown): TextReply {
  if (!(error instanceof Problem) || error.code === 'unavailable') throw error
  if (error.code === 'forbidden') return notPermitted(error.message)
  const summary = `I cannot do this: ${plain(reasonOf(error))}`
  return { outcome: 'answered', title: 'Not possible', summary, markdown: escaped(summary), records: [] }
}

/** `steps.0.input.title: must …` is "The title must …". */
function reasonOf({ message, details }: Problem): string {
  const errors = (details.errors ?? []) as FieldError[]
  if (errors.length === 0) return message
  const sentences = errors.map(({ path, message: problem }) => {
    const field = path.split('.').at(-1)
    return `The ${field ? field.replaceAll('_', ' ') : 'request'} ${problem}.`
  })
  return sentences.join(' ')
}

/** The answer to a question about a record that no name or several names of the page match. */
export function whichRecord(found: Found | undefined, kind: Found['kind']): TextReply {
  const word = words[kind]
  const { text, candidates } = found && 'candidates' in found ? found : { text: '', candidates: [] }
  const summary =
    candidates.length > 0
      ? `“${plain(text, 120)}” can be ${candidates.length} ${pluralOf(word)}.`
      : text
        ? `This page has no ${word} “${plain(text, 120)}”.`
        : `The question names no ${word}.`
  const list = candidates.map(({ name, id }) => named(name, id))
  const markdown =
    list.length > 0
      ? `${summary} Which ${word} do you mean?\n${bullets(list)}`
      : `${summary} Which ${word} do you mean?`
  return { outcome: 'not_understood', title: `Which ${word}?`, summary, markdown, records: candidates }
}

/** A request that the state of the page makes impossible. */
export const impossible = (summary: string): TextReply => ({
  ...{ outcome: 'answered' as const, title: 'Nothing to do', summary, markdown: summary },
  records: [],
})

import { intentNamed } from './language/intents/phrases.ts'
import type { IntentName, Slots } from './language/types.ts'
import type { PlanReply, Question, Reply } from './response-types.ts'
import { impossible } from './responses/refusals.ts'
import { ask } from './responses/requests.ts'
import { escaped, plain } from './responses/text.ts'

interface Request {
  intent: IntentName
  slots: Slots
}

/** The questions for times, each with the slots that answer the question. */
const askable: { question: Question; slots: (keyof Slots)[] }[] = [
  { question: ask('start', 'datetime', 'When does the maintenance start?'), slots: ['start', 'shift', 'longer'] },
  { question: ask('until', 'datetime', 'Until when?'), slots: ['until', 'minutes'] },
  {
    question: ask('minutes', 'duration', 'How long does the maintenance take?'),
    slots: ['minutes', 'end', 'shift', 'longer', 'until'],
  },
  { question: ask('date', 'date', 'The occurrence of which day?'), slots: ['date'] },
]

/** A plan leaves out no time of its request: a time that was not read is asked for. */
export function askUnread(reply: Reply, { intent, slots }: Request): Reply {
  if (reply.outcome !== 'plan' || !slots.unread) return reply
  const missing = missingTime(reply, { intent, slots })
  if (!missing) return reply
  const question = { ...missing, prompt: `I could not read the time ${namesOf(slots.unread)}. ${missing.prompt}` }
  const questions = [...reply.questions, question]
  return { ...reply, questions, steps: [], summary: questions.map(({ prompt }) => prompt).join(' ') }
}

/** The same for a new request, which is refused if no question could take the time. */
export function askOrRefuseUnread(reply: Reply, request: Request): Reply {
  const { unread } = request.slots
  if (reply.outcome !== 'plan' || !unread || asksTime(reply)) return reply
  if (missingTime(reply, request)) return askUnread(reply, request)
  const { optional } = intentNamed(request.intent).slots
  const reason = askable.some(({ question }) => optional.includes(question.key as keyof Slots))
    ? `I could not read the time ${namesOf(unread)}.`
    : `I cannot ${reply.title.charAt(0).toLowerCase()}${reply.title.slice(1)} for a time or at a later time, and the message names ${namesOf(unread)}.`
  const summary = `${reason} Please ask again without this time.`
  return { ...impossible(summary), title: 'Not possible', markdown: escaped(summary) }
}

const namesOf = (times: string[]) => times.map((time) => `“${plain(time, 120)}”`).join(', ')

const asksTime = ({ questions }: PlanReply) => questions.some(({ kind }) => /^(datetime|duration|date)$/.test(kind))

function missingTime(reply: PlanReply, { intent, slots }: Request): Question | undefined {
  const { optional } = intentNamed(intent).slots
  const missing = askable.find(
    (one) => optional.includes(one.question.key as keyof Slots) && one.slots.every((slot) => slots[slot] === undefined),
  )
  return missing && !asksTime(reply) ? missing.question : undefined
}

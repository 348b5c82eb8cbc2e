import { isPlainMessage } from './language/plain-message.ts'
import { readAnswers } from './language/read-answers.ts'
import type { IntentName, Memory, Slots, Understanding } from './language/types.ts'
import { understand } from './language/understand.ts'
import type { Reply, ResponseContext } from './response-types.ts'
import { responses } from './responses/index.ts'
import { notUnderstood, refusedBy } from './responses/refusals.ts'
import { escaped, plain } from './responses/text.ts'
import type { ThreadSituation } from './situation-types.ts'
import { askOrRefuseUnread, askUnread } from './unread-times.ts'

export interface Answer {
  reply: Reply
  /** What a request asks for, from which its plan can be drafted again; absent for a model. */
  request?: Request
  memory: Memory
  /** The plan of the thread that the plan of this answer replaces. */
  replaces?: number
}

interface Request {
  intent: IntentName
  slots: Slots
}

/** The answer of the built-in planner to a message. */
export async function answerByRules(ctx: ResponseContext, query: string, situation: ThreadSituation): Promise<Answer> {
  const { memory } = situation
  const understanding = await understand(query, situation)
  const mayAnswer = isUnsure(understanding) || (understanding.kind !== 'request' && answersText(query, situation))
  const answered = mayAnswer ? await answeredRequest(query, situation) : undefined
  if (answered) return answerRequest(ctx, answered, { replaces: memory?.plan_id, isNew: false })
  if (understanding.kind === 'none') {
    return { reply: notUnderstood(understanding), memory: memory ?? { records: [] } }
  }
  const { kind, intent, slots, unclear } = understanding
  if (kind === 'request') {
    const replaces = (await isAmendment(query, intent, situation)) ? memory?.plan_id : undefined
    return answerRequest(ctx, { intent, slots }, { replaces, unclear })
  }
  const reply = withUnclear(await replyTo(ctx, intent, slots), unclear)
  return { reply, memory: { intent, slots, records: reply.records } }
}

async function answerRequest(
  ctx: ResponseContext,
  request: Request,
  { replaces, unclear = [], isNew = true }: { replaces?: number | undefined; unclear?: string[]; isNew?: boolean },
): Promise<Answer> {
  const drafted = await replyTo(ctx, request.intent, request.slots)
  const reply = withUnclear(isNew ? askOrRefuseUnread(drafted, request) : askUnread(drafted, request), unclear)
  const memory = { ...request, records: reply.records }
  return { reply, request, memory, ...(replaces === undefined ? {} : { replaces }) }
}

/** "Tomorrow instead" is the request of the open plan with another value: without the thread it would not be that request. */
async function isAmendment(
  query: string,
  intent: IntentName,
  { memory, ...situation }: ThreadSituation,
): Promise<boolean> {
  if (memory?.plan_id === undefined || memory.intent !== intent) return false
  const alone = await understand(query, situation)
  return alone.kind === 'none' || alone.intent !== intent
}

/** A message that is no command and names no record of the page may answer a question of the thread. */
function isUnsure(understanding: Understanding): boolean {
  // Courtesies are not unclear.
  if (understanding.kind === 'none')
    return understanding.because === 'not_understood' && understanding.unclear.length > 0
  return understanding.kind === 'question' && Object.values(understanding.slots).flat().some(namesNothing)
}

const openQuestion = ({ memory }: ThreadSituation) =>
  memory?.questions?.find(({ required, answer }) => required && answer === undefined)

/** An open question for a text takes any message that neither asks nor commands: "Checkout is slow" is a title. */
const answersText = (query: string, situation: ThreadSituation) =>
  openQuestion(situation)?.kind === 'text' && isPlainMessage(query, situation)

/** A message that answers the first open question of the plan in its thread. */
async function answeredRequest(query: string, situation: ThreadSituation): Promise<Request | undefined> {
  const { memory, ...withoutMemory } = situation
  const { intent, slots = {} } = memory ?? {}
  const question = openQuestion(situation)
  if (!intent || !question || query.trim().endsWith('?')) return undefined
  const { slots: answered, refused } = await readAnswers(
    [question],
    { [question.key]: query.trim().replace(/^["“](.*)["”]$/s, '$1') },
    { intent, slots },
    withoutMemory,
  )
  const isUnknown = Object.values(answered).flat().some(namesNothing)
  return Object.keys(refused).length > 0 || isUnknown ? undefined : { intent, slots: { ...slots, ...answered } }
}

/** Another message than an answer names no record of the question. */
const namesNothing = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'candidates' in value && (value.candidates as unknown[]).length === 0

/** The reply to an understood message; a refused read is an answer, too. */
export async function replyTo(ctx: ResponseContext, intent: IntentName, slots: Slots): Promise<Reply> {
  try {
    const reply = await responses[intent](ctx, slots)
    return reply.outcome === 'plan' ? reply : { ...reply, markdown: escaped(reply.markdown) }
  } catch (error) {
    return refusedBy(error)
  }
}

/** Says what was not understood. */
function withUnclear(reply: Reply, unclear: string[]): Reply {
  if (unclear.length === 0) return reply
  const missed = `I did not understand ${unclear.map((phrase) => `“${plain(phrase, 120)}”`).join(', ')}.`
  if (reply.outcome === 'plan') return { ...reply, notes: [missed] }
  return { ...reply, markdown: `${reply.markdown}\n${escaped(missed)}` }
}

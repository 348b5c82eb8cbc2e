import { LockMode } from '@mikro-orm/postgresql'
import { ActionPlan, type StoredPlanStep, type StoredQuestion } from '../../../persistence/entities/action-plan.ts'
import { pageById } from '../../../persistence/system/directory.ts'
import { inPageTransaction } from '../../../persistence/transactions.ts'
import type { ProcessOfPage } from '../../kernel/processes.ts'
import type { Services } from '../../kernel/services.ts'
import { actorFrom } from '../actor.ts'
import { replyTo } from '../answer-query.ts'
import { readAnswers } from '../language/read-answers.ts'
import type { IntentName, Slots } from '../language/types.ts'
import { openReader } from '../reader.ts'
import type { PlanReply } from '../response-types.ts'
import { getSituation } from '../situation.ts'
import { askUnread } from '../unread-times.ts'
import { draftOf } from './draft-reply.ts'
import { isOpen, statusOfDraft } from './status-rules.ts'

/** Drafts a plan again with the answers that came since its last draft. */
export async function redraftPlan(services: Services, { pageId, id }: ProcessOfPage): Promise<void> {
  const plan = await inPageTransaction(services.app, pageId, (tx) => tx.findOne(ActionPlan, { id }))
  if (!plan?.new_answers || !plan.request || !isOpen(plan.status)) return
  const drafted = await draftWith(services, plan, plan.new_answers)
  await inPageTransaction(services.app, pageId, async (tx) => {
    const locked = await tx.findOne(ActionPlan, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    // Another answer or a cancellation came meanwhile.
    if (!locked || locked.version !== plan.version) return
    Object.assign(locked, drafted, { new_answers: null, version: locked.version + 1 })
  })
}

type Drafted = Partial<Pick<ActionPlan, 'steps' | 'questions' | 'summary' | 'status' | 'request'>>

async function draftWith(services: Services, plan: ActionPlan, answers: Record<string, unknown>): Promise<Drafted> {
  const { intent, asked_at, slots: known } = plan.request! as { intent: IntentName; asked_at: string; slots: Slots }
  const now = new Date(asked_at)
  const reader = openReader(services, {
    page: await pageById(services.system, plan.page_id),
    actor: actorFrom(plan.asker),
    requestId: `plan-${plan.id}`,
    ...{ now, zone: 'UTC' },
  })
  const situation = await reader.read(getSituation, { input: { at: services.clock().toISOString() } })
  const ctx = { ...reader, now: situation.now, zone: situation.zone }
  const replyWith = async (slots: Slots) => askUnread(await replyTo(ctx, intent, slots), { intent, slots })
  const { slots, refused } = await readAnswers(plan.questions, answers, { intent, slots: known }, situation)
  const read = { slots: { ...without(known, refused), ...slots }, refused }
  const first = await draftOf(ctx, await replyWith(read.slots))
  if ('steps' in first) return drafted(plan, answers, first, read)
  // An operation refuses the answers, so that their questions are open again.
  const reasons = Object.fromEntries(Object.keys(answers).map((key) => [key, first.reply.summary]))
  const open = { slots: without(known, reasons), refused: reasons }
  const second = await draftOf(ctx, await replyWith(open.slots))
  if ('steps' in second) return drafted(plan, answers, second, open)
  const questions = withAnswers(plan.questions, answers, open.refused)
  return { summary: second.reply.summary, questions, steps: [], status: 'needs_input' }
}

interface Read {
  slots: Slots
  refused: Record<string, string>
}

const without = (slots: Slots, refused: Record<string, string>): Slots =>
  Object.fromEntries(Object.entries(slots).filter(([slot]) => !(slot in refused)))

function drafted(
  plan: ActionPlan,
  answers: Record<string, unknown>,
  { reply, steps }: { reply: PlanReply; steps: StoredPlanStep[] },
  { slots, refused }: Read,
): Drafted {
  const asked = withAnswers(plan.questions, answers, refused)
  const open: StoredQuestion[] = reply.questions.filter(
    ({ key }) => !asked.some((one) => one.key === key && one.answer !== undefined),
  )
  const questions = [
    ...asked.filter(({ answer }) => answer !== undefined),
    ...open.map((one) => refusedPrompt(one, refused)),
  ]
  return {
    ...{ summary: reply.summary, steps, questions },
    status: statusOfDraft(steps, questions),
    request: { ...plan.request!, slots: { ...slots } },
  }
}

/** The questions with the answers that were understood. */
const withAnswers = (
  questions: StoredQuestion[],
  answers: Record<string, unknown>,
  refused: Record<string, string>,
): StoredQuestion[] =>
  questions.map((question) => {
    const { key } = question
    if (!(key in answers)) return question
    const { answer: _before, ...open }: StoredQuestion = question
    return key in refused ? refusedPrompt(open, refused) : { ...open, answer: answers[key] }
  })

/** Says before the question why its answer was refused. */
const refusedPrompt = <Q extends StoredQuestion>(question: Q, refused: Record<string, string>): Q => {
  const reason = refused[question.key]
  return reason && !question.prompt.startsWith(reason)
    ? { ...question, prompt: `${reason} ${question.prompt}` }
    : question
}

import { claimAnswer } from '../../../persistence/delegation-turns.ts'
import { DelegationTurn } from '../../../persistence/entities/delegation-turn.ts'
import { inPageTransaction } from '../../../persistence/transactions.ts'
import type { ProcessOfPage } from '../../kernel/processes.ts'
import type { Services } from '../../kernel/services.ts'
import { lockSubject, type StepContext, type StepResult, workingStep } from '../../kernel/step.ts'
import { replacePlan, storePlan } from '../plans/store-plan.ts'
import { type Generated, generateAnswer } from './generate.ts'

/** How long a process keeps others from the same answer; longer than a model may take. */
const CLAIM_MS = 30_000

/** The step of a turn: computes the answer and stores the answer once. */
export const turnStep = workingStep({
  affectsPage: false,
  work: answerTurn,
  async step(ctx, generated): Promise<StepResult> {
    const turn = await lockSubject(ctx, DelegationTurn)
    if (!turn) return { done: true, says: 'nothing: the turn was deleted' }
    if (turn.state === 'answered') return { done: true, says: 'nothing: the message is answered' }
    if (!generated) {
      const until = turn.claimed_until && turn.claimed_until > ctx.now ? turn.claimed_until : ctx.now
      return { done: false, says: 'the answer, which another process computes', until }
    }
    await store(ctx, turn, generated)
    return { done: true, says: 'nothing: the message is answered' }
  },
})

/** The answer of a turn; undefined if the turn is answered, or another process computes the answer. */
async function answerTurn(services: Services, { pageId, id }: ProcessOfPage): Promise<Generated | undefined> {
  const turn = await inPageTransaction(services.app, pageId, async (tx) => {
    const now = services.clock()
    const isClaimed = await claimAnswer(tx, id, { now, until: new Date(now.getTime() + CLAIM_MS) })
    return isClaimed ? tx.findOne(DelegationTurn, { id }) : null
  })
  return turn ? generateAnswer(services, turn) : undefined
}

async function store(
  ctx: StepContext,
  turn: DelegationTurn,
  { answer, memory, plan, replaces }: Generated,
): Promise<void> {
  turn.state = 'answered'
  turn.answer = { ...answer }
  turn.memory = { ...memory }
  turn.answered_at = ctx.now
  ctx.note('turn', `${answer.outcome}: ${answer.summary}`)
  if (!plan) return
  const { asker, reach } = turn
  const stored = await storePlan(ctx, { turn_id: turn.id, ...plan, asker, reach }, ctx.services.planTtlMs)
  if (replaces !== undefined) await replacePlan(ctx, replaces, stored.id)
}

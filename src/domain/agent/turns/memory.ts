import { ActionPlan } from '../../../persistence/entities/action-plan.ts'
import { DelegationTurn } from '../../../persistence/entities/delegation-turn.ts'
import type { Context } from '../../kernel/context.ts'
import { reachesAsFar } from '../../kernel/permissions.ts'
import type { RecordKind, RecordSlot } from '../language/types.ts'
import { isOpen } from '../plans/status-rules.ts'
import type { ThreadMemory } from '../situation-types.ts'
import { withoutDeleted } from './existing-records.ts'

const TURNS = 5
const MOST_RECORDS = 20

/** What the last turns of the thread were about, without turns that this token may not read. */
export async function memoryOf(ctx: Context, turnId: number): Promise<ThreadMemory | undefined> {
  const { tx, actor } = ctx
  const { thread_key, chat_app_id } = await tx.findOneOrFail(DelegationTurn, { id: turnId })
  if (thread_key === null || actor.kind === 'anonymous') return undefined
  const turns = await tx.find(
    DelegationTurn,
    { chat_app_id, thread_key, id: { $lt: turnId }, state: 'answered' },
    { orderBy: { id: 'desc' }, limit: TURNS },
  )
  const readable = turns.filter(({ reach }) => reachesAsFar(actor, reach))
  const [last] = readable
  if (!last) return undefined
  const plans = await tx.find(ActionPlan, { turn_id: readable.map(({ id }) => id) })
  const planOf = ({ id }: DelegationTurn) => plans.find(({ turn_id }) => turn_id === id)
  const records = readable.flatMap((turn) => [...resultsOf(planOf(turn)), ...(memoryIn(turn).records ?? [])])
  const { intent, slots } = memoryIn(last)
  const plan = planOf(last)
  const created = plan?.status === 'executed' ? resultsOf(plan)[0] : undefined
  return withoutDeleted(ctx, {
    ...(intent ? { intent } : {}),
    ...(slots ? { slots } : {}),
    ...(plan && isOpen(plan.status) ? { plan_id: plan.id, questions: plan.questions } : {}),
    ...(created ? { created } : {}),
    records: distinct(records).slice(0, MOST_RECORDS),
    queries: readable.map(({ query }) => query).reverse(),
  })
}

const memoryIn = ({ memory }: DelegationTurn) => (memory ?? {}) as Partial<ThreadMemory>

const kinds: Record<string, RecordKind> = {
  incident: 'incident',
  maintenance: 'maintenance',
  series: 'series',
  beat: 'beat',
  beat_group: 'beat_group',
  item: 'item',
}

/** The records that the steps of an executed plan created or changed. */
const resultsOf = (plan: ActionPlan | undefined): RecordSlot[] =>
  (plan?.steps ?? []).flatMap(({ result, input }) => {
    const kind = result && kinds[result.kind]
    const { title, name } = input as { title?: string; name?: string }
    return kind ? [{ kind, id: result.id, name: title ?? name ?? '' }] : []
  })

const distinct = (records: RecordSlot[]): RecordSlot[] =>
  records.filter(({ kind, id }, at) => records.findIndex((one) => one.kind === kind && one.id === id) === at)

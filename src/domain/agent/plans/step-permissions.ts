import type { ActionPlan } from '../../../persistence/entities/action-plan.ts'
import type { Actor, Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { type Level, levels, mayDo, reachesAsFar } from '../../kernel/permissions.ts'

type Caller = Pick<Context, 'actor' | 'services'>

const may = (actor: Actor, { area, permission }: Pick<AnyOperation, 'area' | 'permission'>): boolean =>
  permission === 'public' || (actor.kind !== 'anonymous' && mayDo(actor, area, permission))

const lackingSteps = ({ actor, services: { operations } }: Caller, { steps }: ActionPlan) =>
  steps.flatMap(({ id, operation: name }) => {
    const operation = operations.get(name)
    return operation && !may(actor, operation) ? [{ id, operation }] : []
  })

/** A plan is shown to tokens that reach as far as the token that asked, and to tokens that may do all of its steps. */
export function requireReader(ctx: Caller, plan: ActionPlan): void {
  const reaches = ctx.actor.kind !== 'anonymous' && reachesAsFar(ctx.actor, plan.reach)
  if (reaches || (plan.steps.length > 0 && lackingSteps(ctx, plan).length === 0)) return
  throw new Problem('forbidden', 'The plan belongs to a token with permissions that this token does not have.')
}

/** Refuses a token that may not do a step. A token that may not read the plan learns nothing about the steps. */
export function requireConfirmer(ctx: Caller, plan: ActionPlan): void {
  requireReader(ctx, plan)
  const [lacking] = lackingSteps(ctx, plan)
  if (lacking) throw refusal(lacking.id, lacking.operation.name, lacking.operation)
}

/** Refuses a step on a record that the token may not read. */
export function requireReadable({ actor, services }: Caller, step: string, { name, area }: AnyOperation): void {
  const permission = readingLevel([...services.operations.values()].filter((one) => one.area === area))
  if (!may(actor, { area, permission })) throw refusal(step, name, { area, permission })
}

/** The lowest level with which a token reads in an area. */
function readingLevel(operations: AnyOperation[]): Level {
  const reading = operations.filter(({ changes }) => !changes).map(({ permission }) => permission)
  return levels.find((level) => reading.includes(level)) ?? 'read'
}

const refusal = (step: string, name: string, { area, permission }: Pick<AnyOperation, 'area' | 'permission'>) =>
  new Problem(
    'forbidden',
    `Step ${step} (${name}) needs ${permission} permission in the area ${area}, which this token does not have.`,
  )

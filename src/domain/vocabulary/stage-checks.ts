import type { LifecycleStage } from '../../persistence/entities/lifecycle-stage.ts'
import { Problem } from '../kernel/errors.ts'
import { inOrder } from './rules.ts'

/** What the lifecycle stages of a page must fulfil after a change. */

type Kind = LifecycleStage['kind']

/** The number of stages with a meaning by position: the last stage of incidents, the first two and last two of maintenances. */
const places = { incident: 2, maintenance: 4 }
/** The number of final stages; a new stage is placed before them. */
export const ending = { incident: 1, maintenance: 2 }

export const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

export function requireFreeName(stages: LifecycleStage[], name: string): void {
  if (stages.some((stage) => sameName(stage.name, name))) {
    throw new Problem('conflict', `A lifecycle stage "${name}" already exists.`)
  }
}

/** Whether the stage can be archived or deleted. */
export function requireDispensable(kind: Kind, stage: LifecycleStage, others: LifecycleStage[]): void {
  if (stage.is_default)
    throw new Problem('conflict', `The stage "${stage.name}" is the default: make another stage the default first.`)
  if (others.filter((other) => !other.archived).length < places[kind]) {
    throw new Problem('conflict', `A page needs at least ${places[kind]} lifecycle stages of ${kind}s.`)
  }
  requireOpenDefault(kind, others)
}

/** The default is the stage of new records, which have not ended. */
export function requireOpenDefault(kind: Kind, stages: LifecycleStage[]): void {
  const final = inOrder(stages).slice(-ending[kind])
  const stage = final.find((one) => one.is_default)
  if (!stage) return
  const which = ending[kind] === 1 ? 'last stage is' : 'last two stages are'
  throw new Problem(
    'conflict',
    `"${stage.name}" cannot be the default of new ${kind}s: the ${which} for ${kind}s that have ended.`,
  )
}

import { addImpact, addPastImpact, changeImpact, deleteEntry, editEntry } from './impact-operations.ts'
import {
  acknowledge,
  backfill,
  change,
  create,
  deleteIncident,
  moveStart,
  reopen,
  resolve,
  update,
} from './incident-operations.ts'
import { archive, correctEvent, deleteEvent, deleteItem, move, override, restore } from './item-operations.ts'
import { shownOf, type World } from './model.ts'
import { type Operation, on, type Picked, type Plan, pick, type Step } from './operation.ts'

export const operations = {
  create,
  backfill,
  update: on(update),
  change: on(change),
  moveStart: on(moveStart),
  resolve: on(resolve),
  reopen: on(reopen),
  acknowledge: on(acknowledge),
  addImpact: on(addImpact),
  addPastImpact: on(addPastImpact),
  changeImpact: on(changeImpact),
  editEntry: on(editEntry),
  deleteEntry: on(deleteEntry),
  deleteIncident: on(deleteIncident),
  override,
  move,
  deleteItem,
  archive,
  restore,
  correctEvent,
  deleteEvent,
} satisfies Record<string, Operation>

export type Kind = keyof typeof operations

export async function planOf(world: World, step: Step<Kind>, read: Picked['read']): Promise<Plan | undefined> {
  const shown = shownOf(world)
  const [item, other] = [pick(shown, step.b)!, pick(shown, step.c)!]
  const archived = pick(
    world.items.filter((one) => one.archived),
    step.b,
  )
  const incident = pick(world.incidents, step.a)
  return operations[step.kind]({ ...step, world, read, incident, item, other, archived })
}

import type { LifecycleStage } from '../../persistence/entities/lifecycle-stage.ts'
import type { StatusType } from '../../persistence/entities/status-type.ts'

export const OPERATIONAL = 'operational'
export const MAINTENANCE = 'maintenance'
/** The status of a resolved incident, which is not a status type. */
export const RESOLVED = 'resolved'

/** The shapes of icons that the page draws. */
export const SHAPES = ['check', 'wrench', 'minus', 'alert', 'cross', 'dot'] as const
export type Shape = (typeof SHAPES)[number]

/** The shape that an icon names; an earlier version stored any text as an icon. */
export const shapeNamed = (icon: string): Shape | undefined => SHAPES.find((shape) => shape === icon)

type Type = Pick<StatusType, 'key' | 'display_order' | 'is_operational' | 'archived'>
type Stage = Pick<LifecycleStage, 'id' | 'name' | 'display_order' | 'is_default' | 'archived'>

const bySeverity = (a: { display_order: number }, b: { display_order: number }) => a.display_order - b.display_order

/** The default status of an incident: the mildest that is neither operational nor maintenance. */
export function defaultIncidentStatus(types: Type[]): string | undefined {
  return types
    .filter((type) => !type.archived && !type.is_operational && type.key !== MAINTENANCE)
    .sort(bySeverity)
    .at(0)?.key
}

export function operationalStatus(types: Type[]): string {
  return types.find((type) => type.is_operational)?.key ?? OPERATIONAL
}

/** The most severe of these statuses; an unknown status counts as mild. */
export function worst(types: Type[], statuses: string[]): string {
  const severity = new Map(types.map((type) => [type.key, type.display_order]))
  let result = operationalStatus(types)
  for (const status of statuses) if ((severity.get(status) ?? -1) > (severity.get(result) ?? -1)) result = status
  return result
}

export function firstStage<S extends Stage>(stages: S[]): S | undefined {
  return stages.find((stage) => stage.is_default && !stage.archived) ?? inOrder(stages).at(0)
}

export function lastStage<S extends Stage>(stages: S[]): S | undefined {
  return inOrder(stages).at(-1)
}

/** The stages that are not archived, in their order. */
export function inOrder<S extends Stage>(stages: S[]): S[] {
  return stages.filter((stage) => !stage.archived).sort(bySeverity)
}

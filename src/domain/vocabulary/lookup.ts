import type { EntityManager } from '@mikro-orm/postgresql'
import { LifecycleStage } from '../../persistence/entities/lifecycle-stage.ts'
import { StatusType } from '../../persistence/entities/status-type.ts'
import type { StageWords, StatusWords } from '../../persistence/vocabulary.ts'
import { invalid } from '../kernel/errors.ts'

export const statusTypes = (tx: EntityManager) =>
  tx.findAll(StatusType, { orderBy: { display_order: 'asc', id: 'asc' } })

export const stagesOf = (tx: EntityManager, kind: 'incident' | 'maintenance') =>
  tx.find(LifecycleStage, { kind }, { orderBy: { display_order: 'asc', id: 'asc' } })

/** A status that a request names must be one of the page's and not archived. */
export function requireStatus(types: StatusWords[], key: string, path = 'status'): string {
  const known = types.filter((type) => !type.archived)
  if (known.some((type) => type.key === key)) return key
  const choice = known.map((type) => type.key).join(', ')
  throw invalid([{ path, message: `"${key}" is not a status of this page; it has ${choice}` }])
}

/** The stage that a request names by id, by name, or by both if they agree. */
export function requireStage<S extends StageWords>(
  stages: S[],
  named: { lifecycle_stage_id?: number; lifecycle_stage_name?: string },
): S | undefined {
  const { lifecycle_stage_id: id, lifecycle_stage_name: name } = named
  if (id === undefined && name === undefined) return undefined
  const known = stages.filter((stage) => !stage.archived)
  const stage = known.find((s) => (id === undefined || s.id === id) && (name === undefined || sameName(s.name, name)))
  if (stage) return stage
  const path = id === undefined ? 'lifecycle_stage_name' : 'lifecycle_stage_id'
  const choice = known.map((s) => s.name).join(', ')
  throw invalid([{ path, message: `"${id ?? name}" is not a lifecycle stage of this page; it has ${choice}` }])
}

const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

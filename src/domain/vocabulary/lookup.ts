import type { EntityManager } from '@mikro-orm/postgresql'
import { LifecycleStage } from '../../persistence/entities/lifecycle-stage.ts'
import { StatusType } from '../../persistence/entities/status-type.ts'
import type { StageWords, StatusWords } from '../../persistence/vocabulary.ts'
import { invalid } from '../kernel/errors.ts'
import { oneOf } from '../kernel/issue-words.ts'

export const statusTypes = (tx: EntityManager) =>
  tx.findAll(StatusType, { orderBy: { display_order: 'asc', id: 'asc' } })

export const allStages = (tx: EntityManager) => tx.findAll(LifecycleStage, { orderBy: { id: 'asc' } })

export const stagesOf = (tx: EntityManager, kind: 'incident' | 'maintenance') =>
  tx.find(LifecycleStage, { kind }, { orderBy: { display_order: 'asc', id: 'asc' } })

/** The status of a request must be a status type of the page and not archived, except the stored status, `kept`. */
export function requireStatus(types: StatusWords[], key: string, path = 'status', kept?: string | null): string {
  if (key === kept) return key
  const known = types.filter((type) => !type.archived)
  if (known.some((type) => type.key === key)) return key
  const choice = known.map((type) => type.key).join(', ')
  throw invalid([{ path, message: `"${key}" is not a status of this page; it has ${choice}` }])
}

/** A filter may also name an archived status, which old records have; `more` are statuses without a status type. */
export function requireStatusFilter(types: StatusWords[], key: string, more: string[] = []): void {
  const known = [...types.map((type) => type.key), ...more]
  if (!known.includes(key)) throw invalid([{ path: 'status', message: `must be ${oneOf(known)}` }])
}

/** The stage that a request names by id, name or both. Only the stored stage, `kept`, may be archived. */
export function requireStage<S extends StageWords>(
  stages: S[],
  named: { lifecycle_stage_id?: number; lifecycle_stage_name?: string },
  kept?: number | null,
): S | undefined {
  const { lifecycle_stage_id: id, lifecycle_stage_name: name } = named
  const known = stages.filter((stage) => !stage.archived || stage.id === kept)
  const byId = known.find((stage) => stage.id === id)
  const byName = name === undefined ? undefined : known.find((stage) => sameName(stage.name, name))
  const choice = known.map((stage) => stage.name).join(', ')
  const unknown = (path: string, value: string | number) =>
    invalid([{ path, message: `"${value}" is not a lifecycle stage of this page; it has ${choice}` }])
  if (id !== undefined && !byId) throw unknown('lifecycle_stage_id', id)
  if (name !== undefined && !byName) throw unknown('lifecycle_stage_name', name)
  if (byId && byName && byId !== byName) {
    const message = 'lifecycle_stage_id and lifecycle_stage_name do not name the same stage'
    throw invalid([{ path: 'lifecycle_stage_id', message }])
  }
  return byId ?? byName
}

const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

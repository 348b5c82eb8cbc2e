import type { EntityManager } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import type { Associations } from '../../../persistence/entities/trigger-parts.ts'
import { inWords } from '../../beats/definition/group-reference.ts'
import { type FieldError, invalid } from '../../kernel/errors.ts'

interface Ref {
  id?: number | undefined
  external_id?: string | undefined
}

interface SourceFields {
  source_id?: number | undefined
  source?: Ref | undefined
}

/** The endpoint that a request names by `source_id`, by `source`, or by both, which must agree. */
export async function sourceOf(tx: EntityManager, { source_id, source }: SourceFields): Promise<number | undefined> {
  if (source_id === undefined && source === undefined) return undefined
  const named = source ?? { id: source_id }
  const endpoint = await tx.findOne(IngestEndpoint, { ...named } as never)
  const path = source ? 'source' : 'source_id'
  if (!endpoint) throw invalid([{ path, message: `no ingest endpoint on this page has ${inWords(named as never)}` }])
  if (source_id !== undefined && source_id !== endpoint.id) {
    throw invalid([{ path: 'source', message: `names the endpoint ${endpoint.id}, but source_id is ${source_id}` }])
  }
  return endpoint.id
}

export interface RequestedAssociation {
  monitor_id?: number | undefined
  monitor?: Ref | undefined
  kind: 'beat' | 'beat_group'
  role: 'stage' | 'evidence'
}

/** The beats and groups that a request names. `stored` may be sent back although a record was deleted meanwhile. */
export async function resolveAssociations(
  tx: EntityManager,
  requested: RequestedAssociation[],
  stored: Associations,
): Promise<Associations> {
  const resolved: Associations = []
  const problems: FieldError[] = []
  for (const [index, { monitor_id, monitor, kind, role }] of requested.entries()) {
    const named = monitor ?? { id: monitor_id }
    const path = `associations.${index}.${monitor ? 'monitor' : 'monitor_id'}`
    const record = await tx.findOne((kind === 'beat' ? Beat : BeatGroup) as typeof Beat, { ...named } as never)
    if (!record) {
      const kept = stored.find((one) => one.kind === kind && one.monitor_id === monitor_id)
      if (kept) resolved.push({ ...kept, role })
      else problems.push({ path, message: `no ${kind.replace('_', ' ')} on this page has ${inWords(named as never)}` })
      continue
    }
    if (monitor_id !== undefined && monitor_id !== record.id) {
      problems.push({ path, message: `names ${record.id}, but monitor_id is ${monitor_id}` })
    } else if (kind === 'beat' && role === 'stage' && (record as Beat).type !== 'external_event') {
      problems.push({
        path,
        message: `the beat "${record.name}" (${record.id}) is not of the type external_event: a stage needs one`,
      })
    } else if (resolved.some((one) => one.kind === kind && one.monitor_id === record.id)) {
      problems.push({ path, message: `names the same ${kind.replace('_', ' ')} twice` })
    } else {
      resolved.push({ monitor_id: record.id, kind, role })
    }
  }
  if (problems.length > 0) throw invalid(problems)
  return resolved
}

import type { ProcessRef } from '../../../../workflows/processes.ts'
import { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import { recordSubject } from '../../kernel/subject.ts'

export const endpointName = ({ id, name }: Pick<IngestEndpoint, 'id' | 'name'>) => `endpoint "${name}" (${id})`

export const inboxProcess = (id: number): ProcessRef => ({ kind: 'inbox', id })
export const tokenProcess = (id: number): ProcessRef => ({ kind: 'ingest-token', id })

export const endpointSubject = recordSubject(
  'ingest endpoint',
  IngestEndpoint,
  ({ id, external_id, name, description, provider_type, enabled }) => ({
    ...{ id, external_id: external_id ?? undefined },
    ...{ name, description, provider_type, enabled },
  }),
  { external: true },
)

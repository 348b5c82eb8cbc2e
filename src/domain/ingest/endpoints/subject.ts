import { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import { workflowIdOf } from '../../kernel/processes.ts'
import { recordSubject } from '../../kernel/subject.ts'

export const endpointName = ({ id, name }: Pick<IngestEndpoint, 'id' | 'name'>) => `endpoint "${name}" (${id})`

export const inboxProcess = (endpointId: number) => workflowIdOf('inbox', endpointId)
export const tokenProcess = (endpointId: number) => workflowIdOf('ingest-token', endpointId)

export const endpointSubject = recordSubject(
  'ingest endpoint',
  IngestEndpoint,
  ({ id, external_id, name, description, provider_type, enabled }) => ({
    ...{ id, external_id: external_id ?? undefined },
    ...{ name, description, provider_type, enabled },
  }),
  { external: true },
)

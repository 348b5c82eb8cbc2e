import { z } from 'zod'
import { pagingFields } from '../../kernel/paging.ts'
import {
  computed,
  externalId,
  inOneLine,
  line,
  momentOut,
  readOnly,
  shownOnce,
  text,
  version,
  view,
  withoutReadOnly,
} from '../../kernel/schema.ts'
import { providerTypes } from '../triggers/templates/index.ts'

export const IngestEndpointResource = z
  .strictObject({
    id: z.int(),
    external_id: z.string().optional(),
    name: z.string(),
    description: z.string(),
    provider_type: z.string(),
    enabled: z.boolean(),
    token_prefix: z.string(),
    ingest_url: z.string().describe('Events are sent to this address, with the token in a header'),
    previous_token: z
      .strictObject({ prefix: z.string(), expires_at: momentOut() })
      .optional()
      .describe('The token before the last rotation, while it still works'),
    last_used_at: momentOut().nullable(),
    event_count: z.int(),
    refused_count: z.int(),
    version: z.int(),
    created_at: momentOut(),
    updated_at: momentOut(),
  })
  .meta({ id: 'IngestEndpoint' })

const secrets = {
  ingest_token: shownOnce(z.string().optional()).describe('Shown once'),
  tokenized_url: shownOnce(z.string().optional()).describe('Shown once: the address with the token in its path'),
}

export const IngestEndpointWithToken = IngestEndpointResource.extend(secrets).meta({ id: 'IngestEndpointWithToken' })

const fields = {
  name: inOneLine(line(200)),
  description: text(2000).nullable().optional(),
  provider_type: z.enum(providerTypes).describe('`generic`, or the name of a template of triggers'),
  enabled: z.boolean(),
}

const derived = {
  ...readOnly('id', 'token_prefix', 'ingest_url', 'previous_token'),
  ...computed('created_at', 'updated_at', 'last_used_at', 'event_count', 'refused_count'),
}

export const EndpointCreateRequest = withoutReadOnly(
  z.strictObject({
    ...fields,
    external_id: externalId().optional(),
    provider_type: fields.provider_type.default('generic'),
    enabled: fields.enabled.default(true),
  }),
  derived,
  'version',
)

export const EndpointUpdateRequest = z.strictObject({
  name: fields.name.optional(),
  description: fields.description,
  provider_type: fields.provider_type.optional(),
  enabled: fields.enabled.optional(),
  version: version().optional(),
  ...derived,
  ...readOnly('external_id'),
})

export const EndpointPutRequest = z.strictObject({
  ...fields,
  external_id: externalId(),
  provider_type: fields.provider_type.default('generic'),
  enabled: fields.enabled.optional(),
  version: version().optional(),
  ...derived,
})

const expiries = ['immediately', '1h', '24h', '7d'] as const

export const RotateRequest = z.strictObject({
  old_token_expiry: z.enum(expiries).describe('How long the old token still works'),
  version: version().optional(),
})

export const SwitchRequest = z.strictObject({ version: version().optional() })

export const EndpointListRequest = z.strictObject({ view, ...pagingFields })

/** The paths of external events in the OpenAPI document, which have no operation: the token identifies the endpoint. */

const content = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['status', 'event_id', 'duplicate'],
      properties: { status: { const: 'accepted' }, event_id: { type: 'integer' }, duplicate: { type: 'boolean' } },
    },
    example: { status: 'accepted', event_id: 17, duplicate: false },
  },
}

const responses = {
  202: { description: 'The event is stored and will be evaluated', content },
  401: { $ref: '#/components/responses/Error' },
  403: { $ref: '#/components/responses/Error' },
  default: { $ref: '#/components/responses/Error' },
}

const post = (what: string, summary: string, parameters: object[]) => ({
  post: {
    ...{ operationId: `external_events.${what}`, tags: ['Public'], summary, security: [{}], parameters, responses },
    description:
      'One JSON object, also with gzip, deflate or br, up to `INGEST_MAX_BYTES` (256 KiB). An event with the `Idempotency-Key` or `webhook-id` of an event of the last 24 hours answers with that event and `duplicate: true`. 401 `ingest_token_invalid` or `ingest_token_expired`, 403 `endpoint_disabled`, 429 above 600 events a minute.',
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object' }, example: { status: 'firing', alert: 'cpu' } } },
    },
  },
})

const inHeader = {
  ...{ name: 'X-External-Event-Token', in: 'header', required: false, schema: { type: 'string' } },
  description: 'The ingest token; a bearer token works, too',
}
const inPath = { name: 'token', in: 'path', required: true, schema: { type: 'string', minLength: 1 } }

export const ingestPaths = {
  '/api/v1/external-events/ingest': post('ingest', 'Send an event, with the token in a header', [inHeader]),
  '/api/v1/external-events/ingest/{token}': post('ingest_by_path', 'Send an event, with the token in the path', [
    inPath,
  ]),
}

/** The door of heartbeats in the OpenAPI document. No operation stands behind it: the token says everything. */

const content = {
  'application/json': {
    schema: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
    example: { message: 'recorded' },
  },
}
const responses = {
  200: { description: 'Recorded', content },
  default: { $ref: '#/components/responses/Error' },
}

const token = {
  ...{ name: 'token', in: 'path', required: true, schema: { type: 'string', minLength: 1 } },
  description: 'As in the `heartbeat_url` of the beat',
}
const said = {
  ...{ name: 'said', in: 'path', required: true, schema: { type: 'string', pattern: '^(start|fail|\\d{1,3})$' } },
  description: '`start`, `fail`, or an exit code, of which 0 is a success',
}

const callBy = (method: string, what: string, summary: string, parameters: object[]) => ({
  ...{ operationId: `heartbeats.${what}.${method}`, tags: ['Public'], summary, security: [{}], parameters, responses },
  description: 'Also by HEAD. Of a body that comes with a failure the beginning becomes evidence, if it is plain text.',
})

const byEach = (what: string, summary: string, parameters: object[]) => ({
  get: callBy('get', what, summary, parameters),
  post: callBy('post', what, summary, parameters),
})

export const heartbeatPaths = {
  '/api/v1/heartbeats/{token}': byEach('succeed', 'The other side of a heartbeat is well', [token]),
  '/api/v1/heartbeats/{token}/{said}': byEach('say', 'The other side of a heartbeat starts, fails or ends', [
    token,
    said,
  ]),
}

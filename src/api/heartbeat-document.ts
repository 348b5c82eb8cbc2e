/** The paths of heartbeat calls in the OpenAPI document, which have no operation: the token identifies the beat. */

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
  description: 'The last part of the `heartbeat_url` of the beat',
}
const outcome = {
  ...{ name: 'outcome', in: 'path', required: true, schema: { type: 'string', pattern: '^(start|fail|\\d{1,3})$' } },
  description: '`start`, `fail`, or an exit code; 0 is a success',
}

const callBy = (method: string, what: string, summary: string, parameters: object[]) => ({
  ...{ operationId: `heartbeats.${what}.${method}`, tags: ['Public'], summary, security: [{}], parameters, responses },
  description: 'HEAD works too. The beginning of the body of a failure becomes evidence, if it is plain text.',
})

const byEach = (what: string, summary: string, parameters: object[]) => ({
  get: callBy('get', what, summary, parameters),
  post: callBy('post', what, summary, parameters),
})

export const heartbeatPaths = {
  '/api/v1/heartbeats/{token}': byEach('succeed', 'Report a success of a heartbeat', [token]),
  '/api/v1/heartbeats/{token}/{outcome}': byEach('report', 'Report a start, a failure or an exit code of a heartbeat', [
    token,
    outcome,
  ]),
}

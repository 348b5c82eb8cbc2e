import { sections } from '../domain/pages/views/contents-rules.ts'
import { SLUG_PREFIX } from './paths.ts'

/** The stream in the OpenAPI document, which has no operation: no request reads anything. */

const description = `Server-sent events, for \`EventSource\`. The first event carries only the version of the page as its \`id\`. After each change of the page follows an event \`change\` with the data \`{version, sections}\`: the new version, and the changed sections of the page (${sections.join(', ')}); \`page\` is the name, the texts and the appearance of the page. Read the changed parts then, for example with \`summary\`. Public metrics change all the time and are not part of the version.

A client that sends a version as \`Last-Event-ID\`, as browsers do when they connect again, or as the parameter \`version\`, gets one event \`change\` at once if the page has changed since. So does a client that sends the \`X-Page-Revision\` of what it shows as \`revision\`. A comment every 20 seconds keeps the connection open. The service ends the streams of clients that do not read, and all streams when a process stops; \`retry\` is 5000 ms. Above the limits for an address and for all streams, the answer is 429 or 503.`

const event = {
  type: 'object',
  required: ['version', 'sections'],
  properties: {
    version: { type: 'string' },
    sections: { type: 'array', items: { type: 'string', enum: [...sections] } },
  },
}

const version = (where: 'query' | 'header', name: string, words: string) => ({
  ...{ name, in: where, description: words, schema: { type: 'string', maxLength: 100 } },
})

export const streamPaths = {
  [`${SLUG_PREFIX}/stream`]: {
    get: {
      ...{ operationId: 'public.stream', tags: ['Public'], summary: 'Follow the changes of the page', description },
      security: [{}, { token: [] }],
      parameters: [
        { name: 'page_slug', in: 'path', required: true, schema: { type: 'string', minLength: 1 } },
        version('query', 'version', 'The version that the client has seen'),
        version('query', 'revision', 'Without a version: the `X-Page-Revision` of the answer that the client shows'),
        version('header', 'Last-Event-ID', 'The version that the client has seen; takes precedence over `version`'),
      ],
      responses: {
        200: {
          description: 'The stream; the schema is the data of an event `change`',
          content: { 'text/event-stream': { schema: event } },
        },
        default: { $ref: '#/components/responses/Error' },
      },
    },
  },
}

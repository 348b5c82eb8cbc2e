import { codeOfView } from './calendar-document.ts'

/** The addresses of feeds in the OpenAPI document. */

const entries = {
  ...{ name: 'entries', in: 'query', schema: { type: 'string', enum: ['updates', 'incidents'], default: 'updates' } },
  description: 'One entry for each update, or for each incident and each maintenance',
}
const locale = { name: 'locale', in: 'query', schema: { type: 'string' }, description: 'A language of the page' }
const format = { name: 'format', in: 'path', required: true, schema: { type: 'string', enum: ['rss', 'atom'] } }
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: 2147483647 } }

const feeds: [path: string, name: string, summary: string, parameters: object[]][] = [
  ['/feed.{format}', 'feed', 'Get the feed of the page', []],
  ['/items/{id}/feed.{format}', 'item_feed', 'Get the feed of an item with what is below it', [id]],
  ['/v/{view_code}/feed.{format}', 'view_feed', 'Get the feed of a custom view', [codeOfView]],
  ['/feeds/{id}.{format}', 'custom_feed', 'Get a feed that administrators made', [id]],
]

const document = { schema: { type: 'string' } }

export const feedPaths = Object.fromEntries(
  feeds.map(([path, name, summary, own]) => [
    path,
    {
      get: {
        ...{ operationId: `public.${name}`, tags: ['Public'], summary, security: [{}, { token: [] }] },
        description: 'The 50 newest entries, newest first. The ids of entries are permanent.',
        parameters: [...own, format, entries, locale],
        responses: {
          200: {
            description: 'The feed',
            content: { 'application/rss+xml': document, 'application/atom+xml': document },
          },
          default: { $ref: '#/components/responses/Error' },
        },
      },
    },
  ]),
)

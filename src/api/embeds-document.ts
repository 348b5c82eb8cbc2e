/** The addresses of embeds in the OpenAPI document. */

const query = (name: string, schema: object, description: string) => ({ name, in: 'query', schema, description })
const badge = [
  query('label', { type: 'string', maxLength: 100 }, 'The left part of the badge'),
  query('style', { type: 'string', enum: ['flat', 'rounded'], default: 'flat' }, 'The form of the badge'),
  query('theme', { type: 'string', enum: ['light', 'dark'], default: 'light' }, 'The colours of the left part'),
  query('item', { type: 'integer', minimum: 1 }, 'The id of an item; absent: the whole page'),
]
const locale = query('locale', { type: 'string' }, 'A language of the page')

const badgeWords =
  'Answers 200 with "unknown" for an unknown item, and while the state cannot be read. 404 while the badge is disabled.'

const text = { schema: { type: 'string' } }
const json = { schema: { type: 'object' } }

const embeds: Record<
  string,
  { name: string; summary: string; description?: string; parameters: object[]; content: object }
> = {
  '/badge.svg': {
    ...{ name: 'badge', summary: 'Get the badge of the page or of an item', description: badgeWords },
    ...{ parameters: [...badge, locale], content: { 'image/svg+xml': text } },
  },
  '/badge.json': {
    ...{ name: 'badge_json', summary: 'Get the badge as JSON for shields', description: badgeWords },
    ...{ parameters: [...badge, locale], content: { 'application/json': json } },
  },
  '/embed.js': {
    ...{ name: 'embed_script', summary: 'Get the script of the widget and the launcher', parameters: [] },
    content: { 'text/javascript': text },
  },
  '/embed.json': {
    ...{ name: 'embeds', summary: 'Get what the widget and the launcher show', parameters: [locale] },
    content: { 'application/json': json },
  },
  '/embed/frame': {
    ...{ name: 'frame', summary: 'Get the document for frames on other pages' },
    parameters: [
      query('theme', { type: 'string', enum: ['light', 'dark'] }, 'Absent: the choice of the reader'),
      locale,
    ],
    content: { 'text/html': text },
  },
}

export const embedPaths = Object.fromEntries(
  Object.entries(embeds).map(([path, { name, summary, description, parameters, content }]) => [
    path,
    {
      get: {
        ...{ operationId: `public.${name}`, tags: ['Public'], summary, ...(description ? { description } : {}) },
        security: [{}, { token: [] }],
        parameters,
        responses: { 200: { description: 'The answer', content }, default: { $ref: '#/components/responses/Error' } },
      },
    },
  ]),
)

import {
  acceptedContent,
  type GetPromptResult,
  inputRequired,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { PIXEL } from './plain-tools.ts'

/** The resources and the prompts that the scenarios expect. */

export function addResources(server: McpServer): void {
  const plain = (name: string, content: { text: string } | { blob: string }, mimeType = 'text/plain') => {
    const uri = `test://${name}`
    server.registerResource(name, uri, { title: name, mimeType }, async () => ({
      contents: [{ uri, mimeType, ...content }],
    }))
  }
  plain('static-text', { text: 'This is the content of the static text resource.' })
  plain('static-binary', { blob: PIXEL }, 'image/png')
  plain('watched-resource', { text: 'Watched resource content' })
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { title: 'template', mimeType: 'application/json' },
    async ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data ${id}` }),
        },
      ],
    }),
  )
  server.server.setRequestHandler('resources/subscribe', async () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}))
}

type Content = GetPromptResult['messages'][number]['content']

const asUser = (...contents: Content[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
})
const text = (value: string): Content => ({ type: 'text', text: value })

export function addPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Without arguments' }, async () =>
    asUser(text('This is a simple prompt for testing.')),
  )
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    async ({ arg1, arg2 }) => asUser(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri: uri }) =>
      asUser(
        { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } },
        text('Please process the embedded resource above.'),
      ),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'With an image' }, async () =>
    asUser({ type: 'image', data: PIXEL, mimeType: 'image/png' }, text('Please analyze the image above.')),
  )
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, async (ctx: unknown) => {
    const { mcpReq } = ctx as ServerContext
    const given = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context')
    if (given) return asUser(text(`Use the following context: ${given.context}`))
    const requestedSchema = {
      type: 'object' as const,
      properties: { context: { type: 'string' as const } },
      required: ['context'],
    }
    const user_context = inputRequired.elicit({ message: 'Which context?', requestedSchema })
    return inputRequired({ inputRequests: { user_context } })
  })
}

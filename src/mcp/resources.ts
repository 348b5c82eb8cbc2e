import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server'
import { getStatus } from '../domain/agent/tools/get-status.ts'
import { call, isPermitted, type ToolContext } from '../domain/agent/tools/tool.ts'
import { withoutPreviews } from '../domain/agent/tools/without-previews.ts'
import { Problem } from '../domain/kernel/errors.ts'

interface Read {
  /** With `{id}`, a template of addresses. */
  uri: string
  title: string
  /** A reading operation; without one the summary of the page. */
  operation?: string
  input?: Record<string, unknown>
}

const JSON_TYPE = 'application/json'

/** What clients read by address. The addresses of a kind of record begin like its list. */
const reads: Read[] = [
  { uri: 'upbeat://page', title: 'Summary of the page' },
  {
    uri: 'upbeat://incidents',
    title: 'Open incidents',
    operation: 'incidents.list',
    input: { state: 'open', view: 'full' },
  },
  { uri: 'upbeat://incidents/{id}', title: 'An incident with its timeline', operation: 'incidents.get' },
  { uri: 'upbeat://maintenances', title: 'Maintenances', operation: 'maintenances.list' },
  { uri: 'upbeat://maintenances/{id}', title: 'A maintenance with its timeline', operation: 'maintenances.get' },
  { uri: 'upbeat://beats', title: 'Beats', operation: 'beats.list' },
  { uri: 'upbeat://beats/{id}', title: 'A beat', operation: 'beats.get' },
  {
    uri: 'upbeat://actions',
    title: 'Actions that wait for a review',
    operation: 'beat_actions.list',
    input: { state: 'pending_review', view: 'full' },
  },
  { uri: 'upbeat://actions/{id}', title: 'An action of a beat or a group', operation: 'beat_actions.get' },
  { uri: 'upbeat://workflows', title: 'Processes and what they wait for', operation: 'workflows.list' },
  {
    uri: 'upbeat://workflows/{workflow_id}',
    title: 'The history of a process, such as incident:17',
    operation: 'workflows.history',
  },
]

const parameterOf = (uri: string): string | undefined => /\{(\w+)\}$/.exec(uri)?.[1]

const operationOf = ({ services }: ToolContext, { operation }: Read) =>
  operation === undefined ? undefined : services.operations.get(operation)

function permitted(ctx: ToolContext): Read[] {
  return reads.filter((read) => {
    const operation = operationOf(ctx, read)
    return !operation || isPermitted(ctx, operation)
  })
}

const nameOf = (uri: string): string => uri.replace('upbeat://', '').replaceAll(/[{}]/g, '')

export const resourcesOf = (ctx: ToolContext): Resource[] =>
  permitted(ctx)
    .filter(({ uri }) => !parameterOf(uri))
    .map(({ uri, title }) => ({ uri, name: nameOf(uri), title, mimeType: JSON_TYPE }))

export const templatesOf = (ctx: ToolContext): ResourceTemplateType[] =>
  permitted(ctx)
    .filter(({ uri }) => parameterOf(uri))
    .map(({ uri, title }) => ({ uriTemplate: uri, name: nameOf(uri), title, mimeType: JSON_TYPE }))

export async function readResource(ctx: ToolContext, uri: string): Promise<ReadResourceResult> {
  const found = find(uri)
  if (!found) throw new ResourceNotFoundError(uri)
  try {
    const text = JSON.stringify(withoutPreviews(await readFound(ctx, found)))
    return { contents: [{ uri, mimeType: JSON_TYPE, text }] }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'not_found') throw new ResourceNotFoundError(uri)
    const code = error.code === 'unavailable' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
    throw new ProtocolError(code, error.message, { code: error.code })
  }
}

interface Found {
  read: Read
  input: Record<string, unknown>
}

function find(uri: string): Found | undefined {
  for (const read of reads) {
    const parameter = parameterOf(read.uri)
    if (!parameter && read.uri === uri) return { read, input: {} }
    const prefix = read.uri.slice(0, read.uri.indexOf('{'))
    if (!parameter || !uri.startsWith(prefix)) continue
    const value = valueIn(uri.slice(prefix.length))
    if (value !== undefined) return { read, input: { [parameter]: value } }
  }
  return undefined
}

/** A number, or the id of a process. */
function valueIn(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text)
    return /^([a-z-]+:)?\d{1,10}$/.test(value) ? value : undefined
  } catch {
    return undefined
  }
}

function readFound(ctx: ToolContext, { read, input }: Found): Promise<unknown> {
  const operation = operationOf(ctx, read)
  return operation ? call(ctx, operation, { ...read.input, ...input }) : getStatus.run(ctx, {})
}

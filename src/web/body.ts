import type { Context } from 'koa'
import { invalid, Problem } from '../domain/kernel/errors.ts'

const MAX_BODY_BYTES = 1024 * 1024
const MAX_FORM_BYTES = 256 * 1024
const MAX_DEPTH = 64
/** Bounds the time of validation, which depends on the number of values. */
const MAX_VALUES = 10_000

/** The JSON object in the body; an absent body is an empty one. */
export async function readJsonObject(ctx: Context, maxBytes = MAX_BODY_BYTES): Promise<Record<string, unknown>> {
  const bytes = await readBytes(ctx, maxBytes)
  if (bytes.length === 0) return {}
  if (!ctx.is('application/json', '+json')) {
    throw new Problem('unsupported_media_type', 'Send the body as Content-Type: application/json.')
  }
  if (ctx.get('Content-Encoding') && ctx.get('Content-Encoding') !== 'identity') {
    throw new Problem('unsupported_media_type', 'Send the body without a Content-Encoding.')
  }
  const { value } = readJson(bytes)
  if (holdsTooMany(value)) {
    throw invalid([
      { path: '', message: `The body may hold at most ${MAX_VALUES} values, including values in lists and objects.` },
    ])
  }
  checkText(value, '', 0)
  requireObject(value)
  return value
}

/** The text in the body, in UTF-8. */
export async function readText(ctx: Context, type: string): Promise<string> {
  if (!ctx.is(type)) throw new Problem('unsupported_media_type', `Send the body as Content-Type: ${type}.`)
  const bytes = await readBytes(ctx, MAX_BODY_BYTES)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    checkText(text, '', 0)
    return text
  } catch (error) {
    throw error instanceof Problem ? error : invalid([{ path: '', message: 'The body is not valid UTF-8.' }])
  }
}

/** The fields of a form of a page. */
export async function readForm(ctx: Context): Promise<URLSearchParams> {
  const fields = new URLSearchParams((await readBytes(ctx, MAX_FORM_BYTES)).toString('utf8'))
  checkText([...fields].flat(), '', 0)
  return fields
}

export async function readBytes(ctx: Context, maxBytes: number): Promise<Buffer> {
  if (Number(ctx.get('Content-Length')) > maxBytes) throw tooLarge(maxBytes)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export function tooLarge(maxBytes: number): Problem {
  return new Problem('payload_too_large', `The body is larger than ${maxBytes} bytes.`)
}

/** The text of a body and its JSON value. */
export function readJson(bytes: Buffer): { text: string; value: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, value: JSON.parse(text) }
  } catch {
    throw invalid([{ path: '', message: 'The body is not valid JSON in UTF-8.' }])
  }
}

export function requireObject(value: unknown): asserts value is Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw invalid([{ path: '', message: 'The body must be a JSON object.' }])
  }
}

function holdsTooMany(body: unknown): boolean {
  const inside = [body]
  let count = 0
  for (let value = inside.pop(); value !== undefined; value = inside.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const values: unknown[] = Array.isArray(value) ? value : Object.values(value)
    count += values.length
    if (count > MAX_VALUES) return true
    inside.push(...values)
  }
  return false
}

/** Refuses JSON that is nested more deeply, by its brackets alone: parsing holds the event loop ten times as long. */
export function requireShallow(bytes: Buffer, mostDepth: number): void {
  let depth = 0
  let isInString = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === BACKSLASH && isInString) at += 1
    else if (byte === QUOTE) isInString = !isInString
    else if (isInString) continue
    else if (byte === BRACE || byte === BRACKET) depth += 1
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth -= 1
    if (depth > mostDepth) throw invalid([{ path: '', message: `The body is nested deeper than ${mostDepth} levels.` }])
  }
}

const [QUOTE, BACKSLASH, BRACE, CLOSING_BRACE, BRACKET, CLOSING_BRACKET] = [...Buffer.from('"\\{}[]')]

/** Refuses NUL and half surrogate pairs in all strings and keys, which PostgreSQL cannot store. */
export function checkText(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw invalid([{ path, message: 'contains a character that cannot be stored' }])
    }
  } else if (value !== null && typeof value === 'object') {
    if (depth >= MAX_DEPTH) throw invalid([{ path, message: `is nested deeper than ${MAX_DEPTH} levels` }])
    for (const [key, inner] of Object.entries(value)) {
      checkText(key, path, depth)
      checkText(inner, path ? `${path}.${key}` : key, depth + 1)
    }
  }
}

import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

let read: string | undefined

/** The script of the widget and the launcher without its types, read at the first request. */
export function embedScript(): string {
  read ??= stripTypeScriptTypes(readFileSync(new URL('./client/embed.ts', import.meta.url), 'utf8'))
    .replace(/^\/\/.*$|^\s+/gm, '')
    .replace(/\n+/g, '\n')
  return read
}

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { withoutTypes } from '../../runtime/without-types.ts'
import { html, type Markup } from '../markup.ts'

/** The scripts of the page: TypeScript without its types, each served at an address that changes with its content. */

const names = ['live', 'bars', 'choices'] as const
type ScriptName = (typeof names)[number]

const sourceOf = (name: string) => {
  const source = readFileSync(new URL(`./client/${name}.ts`, import.meta.url), 'utf8')
  return withoutTypes(source)
    .replace(/^\/\/.*$|^\s+/gm, '')
    .replace(/\n+/g, '\n')
}

let read: Map<string, string> | undefined

/** The scripts by name, read at the first request: programs without a page need none. */
export function scripts(): Map<string, string> {
  read ??= new Map(names.map((name) => [name, sourceOf(name)]))
  return read
}

const digest = (algorithm: string, text: string) => createHash(algorithm).update(text)

let version: string | undefined

/** Part of the addresses, so that browsers keep a script until it changes. */
export function scriptsVersion(): string {
  version ??= digest('sha256', [...scripts().values()].join('\n'))
    .digest('hex')
    .slice(0, 12)
  return version
}

const scriptPath = (name: ScriptName) => `/assets/${scriptsVersion()}/${name}.js`

export const browserScripts = (): Markup[] =>
  names.map((name) => html`<script type="module" src="${scriptPath(name)}"></script>`)

/** Runs before the page is shown, so that the chosen colours do not flash. */
export const themeScript =
  "try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}"

export const themeScriptHash = `sha256-${digest('sha256', themeScript).digest('base64')}`

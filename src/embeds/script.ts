import { readFileSync } from 'node:fs'
import { withoutTypes } from '../runtime/without-types.ts'

/** The modules of the script, each after those that it imports. Their names are in one scope of their own. */
const modules = [
  '../page/icon-paths.ts',
  ...['style', 'elements', 'host', 'moving', 'widget', 'launcher', 'embed'].map((name) => `client/${name}.ts`),
]

const sourceOf = (path: string) =>
  withoutTypes(readFileSync(new URL(path, import.meta.url), 'utf8'))
    .replace(/^import .*$/gm, '')
    .replace(/^export /gm, '')
    .replace(/^\/\/.*$|^\/\*\*.*\*\/$|^\s+/gm, '')
    .replace(/\n+/g, '\n')

let read: string | undefined

/** The script of the widget and the launcher: one file without types, read at the first request. */
export function embedScript(): string {
  read ??= `(() => {\n${modules.map(sourceOf).join('\n')}\n})()\n`
  return read
}

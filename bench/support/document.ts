import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('../../docs/benchmarks.md', import.meta.url)

/** Puts the result of one benchmark in its place in docs/benchmarks.md: between its marks, or at the end. */
export function document(name: string, text: string): void {
  const before = readFileSync(path, 'utf8')
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const from = before.indexOf(open)
  const to = before.indexOf(close)
  const part = `${open}\n${text}\n${close}`
  const after =
    from < 0 || to < from
      ? `${before.trimEnd()}\n\n${part}\n`
      : before.slice(0, from) + part + before.slice(to + close.length)
  writeFileSync(path, after)
}

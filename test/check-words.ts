import { globSync, readFileSync } from 'node:fs'

/**
 * `npm run check` refuses words that have stood for too many things, in names, comments, messages and documents. The
 * glossary has the words to use instead.
 */
const refused = new Set([
  ...['tell', 'tells', 'telling', 'told', 'retell', 'retold', 'hear', 'hears', 'heard', 'voice', 'speaker'],
  ...['scene', 'seat', 'seats', 'lookout', 'leftovers', 'moody', 'house', 'houses'],
  ...['beside', 'anew', 'nobody', 'somebody', 'whoever', 'whomever'],
])

/** Migrations have run under their names; the benchmarks print their own page; the words of users are understood as they are. */
const kept =
  /^src\/persistence\/migrations\/|^docs\/benchmarks\.md$|^test\/check-words\.ts$|^test\/domain\/agent\/|^src\/domain\/agent\/language\//
const files = globSync(['{src,workflows,activities,worker,bench,test}/**/*.ts', 'docs/**/*.md', '*.md'])
const found = files.filter((file) => !kept.test(file)).flatMap(problemsOf)

for (const problem of found) console.error(problem)
console.log(`${files.length} files, ${found.length} refused words`)
if (found.length > 0) process.exit(1)

function problemsOf(file: string): string[] {
  const lines = [file, ...readFileSync(file, 'utf8').split('\n')]
  return lines.flatMap((line, index) =>
    wordsOf(line)
      .filter((word) => refused.has(word))
      .map((word) => `${file}${index > 0 ? `:${index}` : ''}: "${word}"`),
  )
}

/** Also the parts of a name: `tellStage` has "tell". */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase())
}

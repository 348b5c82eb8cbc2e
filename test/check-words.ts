import { globSync, readFileSync } from 'node:fs'

/**
 * `npm run check` refuses words that have stood for too many things, in names, comments and documents. The glossary has
 * the words to use instead.
 */
const refused = new Set(
  [
    ['tell', 'tells', 'telling', 'told', 'retell', 'retold'],
    ['hear', 'hears', 'heard', 'voice', 'speaker'],
    ['scene', 'seat', 'seats', 'lookout', 'leftovers', 'moody'],
    ['beside', 'anew', 'nobody', 'somebody', 'whoever', 'whomever'],
  ].flat(),
)

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*/g
const DECLARED = /\b(?:const|let|function|class|interface|type|enum|#)\s*([A-Za-z_$][\w$]*)/g

/** Migrations have run under their names; the benchmarks print their own page. */
const kept = /^src\/persistence\/migrations\/|^docs\/benchmarks\.md$/
const files = globSync(['{src,workflows,activities,worker}/**/*.ts', 'docs/**/*.md', '*.md'])
const found = files.filter((file) => !kept.test(file)).flatMap(problemsOf)

for (const problem of found) console.error(problem)
console.log(`${files.length} files, ${found.length} refused words`)
if (found.length > 0) process.exit(1)

function problemsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const inName = wordsOf(file).filter((word) => refused.has(word))
  const pieces = file.endsWith('.md') ? [{ text, at: 0 }] : piecesOf(text)
  return [
    ...inName.map((word) => `${file}: the name of the file has "${word}"`),
    ...pieces.flatMap((piece) =>
      wordsOf(piece.text)
        .filter((word) => refused.has(word))
        .map((word) => `${file}:${lineOf(text, piece.at)}: "${word}"`),
    ),
  ]
}

function piecesOf(text: string): { text: string; at: number }[] {
  const comments = [...text.matchAll(COMMENT)].map((match) => ({ text: match[0], at: match.index }))
  const names = [...text.matchAll(DECLARED)].map((match) => ({ text: match[1]!, at: match.index }))
  return [...comments, ...names]
}

/** Also the parts of a name: `tellStage` has "tell". */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase())
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

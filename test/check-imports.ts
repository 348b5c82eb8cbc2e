import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from '@swc/core'

/**
 * `npm run check` holds the table of imports: who may know whom. Types are free, because they are gone when the code
 * runs. The usual tools read types through a compiler interface that TypeScript 7 does not have.
 */
interface Rule {
  name: string
  from: RegExp
  /** What it may not import; or, with `only`, all that it may. */
  never?: RegExp
  only?: RegExp
  except?: RegExp
}

const roots = /^(src\/(main|start|admin|mcp|local\/prepare)|worker\/main)\.ts$/
/** Except the table of the kinds of processes, which all read: it is in the folder from which workflows are bundled. */
const upper =
  /^(src\/(api|mcp|page|embeds|feeds|statuspage|calendar|web|orchestration|local)|workflows(?!\/processes\.ts$)|activities|worker)\//

const rules: Rule[] = [
  {
    name: 'rules are pure',
    from: /^src\/(domain|page|embeds|feeds|statuspage|calendar)\/.*rules\.ts$/,
    only: /rules\.ts$|notification-keys\.ts$|^src\/languages\/|^markdown-it$/,
  },
  { name: 'labels lie below all', from: /^src\/languages\//, only: /^src\/languages\// },
  {
    name: 'a workflow is bundled and replayed for years',
    from: /^workflows\//,
    only: /^workflows\/|^@temporalio\/(workflow|common)$/,
  },
  { name: 'activities run no workflow', from: /^activities\//, never: /^workflows\/(?!contract\.ts$)/ },
  { name: 'activities know no transport', from: /^activities\//, never: /^src\/(api|mcp|page|web|local)\/|^@?koa/ },
  {
    name: 'the domain knows no transport',
    from: /^src\/domain\//,
    never: new RegExp(`${upper.source}|^@?koa|^@temporalio`),
  },
  { name: 'persistence lies below', from: /^src\/persistence\//, never: new RegExp(`${upper.source}|^src/domain/`) },
  {
    name: 'web lies below the API, MCP, the page and what other programs read',
    from: /^src\/web\//,
    never: /^src\/(api|mcp|page|embeds|feeds|statuspage|calendar)\//,
  },
  {
    name: 'what other programs read is rendered without a transport',
    from: /^src\/(statuspage|calendar)\//,
    never: /^src\/(api|mcp|page|outbound)\/|^@?koa/,
  },
  { name: 'the page lies below feeds and embeds', from: /^src\/page\//, never: /^src\/(feeds|embeds)\// },
  {
    name: 'feeds and embeds are rendered without a transport',
    from: /^src\/(feeds|embeds)\//,
    never: /^src\/(api|mcp|outbound)\/|^@?koa/,
  },
  { name: 'the API shows the page and MCP, not the other way round', from: /^src\/(page|mcp)\//, never: /^src\/api\// },
  { name: 'what leaves the service knows no subject', from: /^src\/outbound\//, never: /^src\/domain\// },
  {
    name: 'the API, MCP, the page and what they share know no ORM',
    from: /^src\/(api|mcp|page|embeds|feeds|statuspage|calendar|web)\//,
    never: /^@mikro-orm|^pg$|^kysely|^src\/persistence\/(?!failures\.ts|system\/)/,
  },
  {
    name: 'SQL stays in persistence',
    from: /^(src|activities|worker)\//,
    never: /^(pg|kysely)$|^src\/persistence\/sql\.ts$/,
    except: /^src\/(persistence|local)\/|changes\.ts$/,
  },
  { name: 'nothing imports a process', from: /./, never: roots },
  { name: 'the product holds no test code', from: /^(src|workflows|activities|worker)\//, never: /^(test|bench)\// },
]

const files = globSync('{src,workflows,activities,worker}/**/*.ts')
const graph = new Map(files.map((file) => [file, importsOf(file)]))
const violations = [...graph].flatMap(([file, imports]) => imports.flatMap((target) => broken(file, target)))
/** `npm start` lives as long as the service: each library that it loads stays in memory, in addition to the libraries of its processes. */
const supervised = [...reachedFrom('src/start.ts')].filter((target) => !target.endsWith('.ts') && target !== 'pg')
for (const library of supervised) violations.push(`src/start.ts reaches ${library}: the supervisor stays small`)
/** Libraries that not every service uses are loaded with their first use: they take memory. */
const late = /^(nodemailer|css-tree|@modelcontextprotocol\/.+)$/
for (const root of ['src/main.ts', 'worker/main.ts']) {
  for (const library of [...reachedFrom(root)].filter((target) => late.test(target))) {
    violations.push(`${root} reaches ${library} at its start`)
  }
}
/** Two folders that import each other are one. */
const folderPairs = pairsOfFolders()
const circles = [...graph.keys()].flatMap((file) => circleFrom(file) ?? [])

const problems = [...violations, ...folderPairs, ...new Set(circles)]
for (const line of problems) console.error(line)
console.log(`${files.length} files, ${problems.length} problems of imports`)
if (problems.length > 0) process.exit(1)

function broken(file: string, target: string): string[] {
  return rules
    .filter(({ from, never, only, except }) => {
      if (!from.test(file) || except?.test(file)) return false
      return never?.test(target) || (only && !only.test(target))
    })
    .map((rule) => `${file} imports ${target}: ${rule.name}`)
}

/** What a file imports when it runs: packages by name, our own files by their path. */
function importsOf(file: string): string[] {
  const { body } = parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript' })
  return body.flatMap((node) => {
    if (!('source' in node) || !node.source || ('typeOnly' in node && node.typeOnly)) return []
    const specifiers = 'specifiers' in node ? node.specifiers : []
    const typesOnly = specifiers.length > 0 && specifiers.every((s) => 'isTypeOnly' in s && s.isTypeOnly)
    if (typesOnly || node.source.value.startsWith('node:')) return []
    const { value } = node.source
    return [value.startsWith('.') ? normalize(join(dirname(file), value)) : value]
  })
}

function reachedFrom(file: string, seen = new Set<string>()): Set<string> {
  for (const next of graph.get(file) ?? []) {
    if (seen.has(next)) continue
    seen.add(next)
    reachedFrom(next, seen)
  }
  return seen
}

function pairsOfFolders(): string[] {
  const between = new Map<string, string>()
  for (const [file, targets] of graph) {
    for (const target of targets.filter((path) => path.endsWith('.ts'))) {
      const [from, to] = [dirname(file), dirname(target)]
      if (from !== to) between.set(`${from} ${to}`, `${file} imports ${target}`)
    }
  }
  return [...between].flatMap(([pair, example]) => {
    const [from, to] = pair.split(' ') as [string, string]
    const back = from < to && !isWithin(from, to) && !isWithin(to, from) ? between.get(`${to} ${from}`) : undefined
    return back ? [`${from} and ${to} import each other: ${example}, ${back}`] : []
  })
}

function isWithin(folder: string, other: string): boolean {
  return folder.startsWith(`${other}/`)
}

function circleFrom(start: string): string | undefined {
  const seen = new Set<string>()
  const visit = (file: string, path: string[]): string | undefined => {
    for (const next of graph.get(file) ?? []) {
      if (next === start) return `a circle: ${[...path, file].sort().join(', ')}`
      if (seen.has(next)) continue
      seen.add(next)
      const found = visit(next, [...path, file])
      if (found) return found
    }
    return undefined
  }
  return visit(start, [])
}

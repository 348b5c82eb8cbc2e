import type { Atrule, CssNode, Declaration, FunctionNode, Raw, WalkContext } from 'css-tree'
import { atRules, isFunction, isProperty } from './allowed.ts'
import { boundsProblem, type CssProblem } from './bounds.ts'
import { cssTree } from './css-tree.ts'

const MOST_PROBLEMS = 20

export interface Examined {
  problems: CssProblem[]
  /** The parsed CSS; absent if it cannot be read. */
  sheet?: CssNode
  /** The declarations and rules that are refused. */
  refused: Set<CssNode>
  /** The addresses that the CSS loads. */
  urls: Set<string>
}

/** Parses CSS and compares every part with what is allowed. `hosts` are the hosts of addresses that it may load. */
export function examineCss(css: string, hosts: ReadonlySet<string>): Examined {
  const examined: Examined = { problems: [], refused: new Set(), urls: new Set() }
  const outOfBounds = boundsProblem(css)
  if (outOfBounds) return { ...examined, problems: [outOfBounds] }
  const { sheet, problems } = read(css, { context: 'stylesheet' })
  if (problems.length > 0) return { ...examined, problems }
  examineParts(sheet, { hosts, examined })
  return { ...examined, sheet }
}

interface Examining {
  hosts: ReadonlySet<string>
  examined: Examined
}

function examineParts(root: CssNode, examining: Examining, outer?: CssNode): void {
  const { examined } = examining
  cssTree().walk(root, function (this: WalkContext, node: CssNode) {
    const unit = outer ?? unitOf(this, node)
    if (examined.refused.has(unit)) return
    const message = refusalOf(node, this.atrule, examining, unit)
    if (message === undefined) return
    examined.refused.add(unit)
    const { line = 1, column = 1 } = node.loc?.start ?? {}
    if (examined.problems.length < MOST_PROBLEMS) examined.problems.push({ line, column, message })
  })
}

/** What is left out if this part is refused. */
function unitOf({ declaration, rule, atrule, atrulePrelude }: WalkContext, node: CssNode): CssNode {
  if (atrulePrelude && atrule) return atrule
  return node.type === 'Declaration' || node.type === 'Atrule' ? node : (declaration ?? rule ?? atrule ?? node)
}

/** Why a part is refused. */
function refusalOf(node: CssNode, atRule: Atrule | null, examining: Examining, unit: CssNode): string | undefined {
  switch (node.type) {
    case 'Atrule':
      return atRules.includes(lower(node.name))
        ? undefined
        : `@${node.name} is not allowed: use ${atRules.map((name) => `@${name}`).join(', ')}`
    case 'Declaration':
      return refusedDeclaration(node, atRule)
    case 'Function':
      return refusedFunction(node)
    case 'Url':
      return refusedUrl(node.value, examining)
    case 'Raw':
      return refusedRaw(node, examining, unit)
    case 'CDO':
    case 'CDC':
      return 'marks of HTML comments are not allowed'
    default:
      return undefined
  }
}

function refusedDeclaration({ property, important }: Declaration, atRule: Atrule | null): string | undefined {
  if (!isProperty(lower(property), atRule ? lower(atRule.name) : undefined))
    return `the property "${shortened(property)}" is not allowed`
  return typeof important === 'string' ? `"!${shortened(important)}" is not allowed` : undefined
}

const refusedFunction = ({ name }: FunctionNode): string | undefined =>
  isFunction(lower(name)) ? undefined : `the function "${shortened(name)}()" is not allowed`

function refusedUrl(text: string, { hosts, examined }: Examining): string | undefined {
  const url = URL.parse(text)
  const isAllowed = url?.protocol === 'https:' && hosts.has(url.host) && url.username === '' && url.password === ''
  if (url && isAllowed) examined.urls.add(url.href)
  if (isAllowed) return undefined
  const allowed = hosts.size > 0 ? ` (${[...hosts].join(', ')})` : ''
  return `the address "${shortened(text)}" is not allowed: use an https address of a host that a logo, font or background of the settings names${allowed}`
}

/** The parser does not read what follows the comma of `var()`. */
function refusedRaw(raw: Raw, examining: Examining, unit: CssNode): string | undefined {
  if (/^[\s;]*$/.test(raw.value)) return undefined
  const { offset = 0, line = 1, column = 1 } = raw.loc?.start ?? {}
  const { sheet, problems } = read(raw.value, { context: 'value', offset, line, column })
  if (problems.length > 0) return problems[0]!.message
  examineParts(sheet, examining, unit)
  return undefined
}

class TooManyProblems extends Error {}

/** Stops at some problems, because each one costs the parser time. */
function read(css: string, from: { context: string; offset?: number; line?: number; column?: number }) {
  const problems: CssProblem[] = []
  const { parse } = cssTree()
  try {
    const sheet = parse(css, {
      ...from,
      positions: true,
      parseCustomProperty: true,
      onParseError({ line, column, message }) {
        problems.push({ line, column, message: `cannot be read: ${message.toLowerCase()}` })
        if (problems.length >= MOST_PROBLEMS) throw new TooManyProblems()
      },
    })
    return { sheet, problems }
  } catch (error) {
    if (error instanceof TooManyProblems) return { sheet: parse(''), problems }
    const { line = 1, column = 1, message } = error as Partial<CssProblem> & Error
    return { sheet: parse(''), problems: [{ line, column, message: `cannot be read: ${message.toLowerCase()}` }] }
  }
}

const lower = (name: string) => name.toLowerCase()
const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

import { readRoot, rootsInWords } from '../../evaluation/path-roots.ts'
import { isRelativeMoment } from '../../evaluation/relative-moments.ts'
import { ConditionValue, conditionProblem, Operator } from '../../evaluation/schema.ts'
import type { FieldError } from '../../kernel/errors.ts'

/** Validates a condition tree by its nodes, so that an error names the node. */

const MAX_PATH = 500
const MAX_LEAVES = 100
const MAX_DEPTH = 8

export function conditionProblems(tree: unknown): FieldError[] {
  const problems: FieldError[] = []
  let leaves = 0
  const visit = (node: unknown, path: string, depth: number): void => {
    const refuse = (message: string) => problems.push({ path, message })
    if (depth > MAX_DEPTH) return void refuse(`is nested deeper than ${MAX_DEPTH} groups`)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return void refuse(shapeInWords)
    const names = Object.keys(node)
    const group = names.length === 1 && (names[0] === 'all' || names[0] === 'any') ? names[0] : undefined
    if (group === undefined) {
      leaves += 1
      if (leaves > MAX_LEAVES) return
      problems.push(...leafProblems(node as Record<string, unknown>, path))
      return
    }
    const list = (node as Record<string, unknown>)[group]
    if (!Array.isArray(list) || list.length === 0)
      return void refuse(`needs a list with at least one condition in ${group}`)
    for (const [index, part] of list.slice(0, MAX_LEAVES + 1).entries()) {
      visit(part, `${path}.${group}.${index}`.replace(/^\./, ''), depth + 1)
    }
  }
  visit(tree, '', 1)
  if (leaves > MAX_LEAVES) problems.push({ path: '', message: `may hold ${MAX_LEAVES} conditions` })
  return problems
}

const shapeInWords = 'must be {path, operator, value}, {all: […]} or {any: […]}'

function leafProblems(leaf: Record<string, unknown>, at: string): FieldError[] {
  const where = (name: string) => (at === '' ? name : `${at}.${name}`)
  const unknown = Object.keys(leaf).filter((name) => !['path', 'operator', 'value'].includes(name))
  if (unknown.length > 0)
    return [{ path: where(unknown[0]!), message: `is not part of a condition, which ${shapeInWords}` }]
  const problem = pathProblem(leaf.path)
  const operator = Operator.safeParse(leaf.operator)
  const value = ConditionValue.optional().safeParse(leaf.value)
  const problems: FieldError[] = problem === null ? [] : [{ path: where('path'), message: problem }]
  if (!operator.success) {
    problems.push({ path: where('operator'), message: `must be one of ${Operator.options.join(', ')}` })
  } else if (!value.success) {
    problems.push({ path: where('value'), message: value.error.issues[0]!.message })
  } else {
    const relative = ['after', 'before'].includes(operator.data) && isRelativeMoment(leaf.value)
    const wrong = relative ? null : conditionProblem(operator.data, leaf.value)
    if (wrong !== null) problems.push({ path: where('value'), message: wrong })
  }
  return problems
}

/** The problem of the path of a condition or a mapping; the evaluation thread compiles JSON paths. */
export function pathProblem(path: unknown): string | null {
  if (typeof path !== 'string' || path === '') return 'must be a path'
  if (path.length > MAX_PATH) return `may have ${MAX_PATH} characters`
  return readRoot(path) === null ? rootsInWords : null
}

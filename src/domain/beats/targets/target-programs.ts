import type { Program } from '../../evaluation/jobs.ts'
import { patternBoundProblem } from '../../evaluation/pattern-rules.ts'
import type { PageRef } from '../../kernel/context.ts'
import { type FieldError, invalid, Problem } from '../../kernel/errors.ts'
import type { Services } from '../../kernel/services.ts'
import { MAX_PATH } from '../types/assertion.ts'
import { MAX_ASSERTIONS } from '../types/http.ts'

/**
 * Refuses a target whose patterns or paths cannot be compiled. Compiles them on the evaluation thread, before the operation
 * opens a transaction, so that an expensive pattern holds no connection.
 */
export async function compileTarget(
  { evaluator }: Pick<Services, 'evaluator'>,
  { id }: Pick<PageRef, 'id'>,
  { target }: { target?: unknown },
): Promise<void> {
  const found = programsIn(target)
  if (found.length === 0) return
  const programs = found.map(({ program }) => program)
  const problems = await evaluator.compile(id, programs)
  if (!('ended' in problems)) {
    const errors = problems.flatMap((message, index) => (message ? [{ path: found[index]!.path, message }] : []))
    if (errors.length > 0) throw invalid(errors)
  } else if (problems.ended === 'too_expensive') {
    throw invalid([{ path: found[problems.at]!.path, message: 'takes too long to compile' }])
  } else {
    throw new Problem('unavailable', 'The service has too many patterns to compile: try again later.')
  }
}

interface Found {
  path: FieldError['path']
  program: Program
}

/** The programs within the bounds; the schema of the target refuses longer programs and invalid targets. */
function programsIn(target: unknown): Found[] {
  const { assertions } = (target ?? {}) as { assertions?: unknown }
  if (!Array.isArray(assertions) || assertions.length > MAX_ASSERTIONS) return []
  return assertions.flatMap((assertion, index): Found[] => {
    const { source, path, operator, value } = (assertion ?? {}) as Record<string, unknown>
    const at = `target.assertions.${index}`
    const isPath = source === 'json' && typeof path === 'string' && path.length <= MAX_PATH
    const isPattern = operator === 'regex' && typeof value === 'string' && patternBoundProblem(value) === null
    return [
      ...(isPath ? [{ path: `${at}.path`, program: { kind: 'path' as const, text: path } }] : []),
      ...(isPattern ? [{ path: `${at}.value`, program: { kind: 'pattern' as const, text: value } }] : []),
    ]
  })
}

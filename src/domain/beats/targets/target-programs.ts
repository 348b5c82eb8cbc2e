import { type ProgramField, requireCompiled } from '../../evaluation/compile-programs.ts'
import { patternBoundProblem } from '../../evaluation/pattern-rules.ts'
import type { PageRef } from '../../kernel/context.ts'
import type { Services } from '../../kernel/services.ts'
import { MAX_PATH } from '../types/assertion.ts'
import { MAX_ASSERTIONS } from '../types/http.ts'

/** Refuses a target whose patterns or paths cannot be compiled. */
export const compileTarget = (
  services: Pick<Services, 'evaluator'>,
  { id }: Pick<PageRef, 'id'>,
  { target }: { target?: unknown },
): Promise<void> => requireCompiled(services, id, programsIn(target))

/** The programs within the bounds; the schema of the target refuses longer programs and invalid targets. */
function programsIn(target: unknown): ProgramField[] {
  const { assertions } = (target ?? {}) as { assertions?: unknown }
  if (!Array.isArray(assertions) || assertions.length > MAX_ASSERTIONS) return []
  return assertions.flatMap((assertion, index): ProgramField[] => {
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

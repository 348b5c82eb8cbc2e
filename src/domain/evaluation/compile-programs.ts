import { type FieldError, invalid, Problem } from '../kernel/errors.ts'
import type { Services } from '../kernel/services.ts'
import type { Program } from './jobs.ts'

/** A program, and the field of the request that has it. */
export interface ProgramField {
  path: FieldError['path']
  program: Program
}

/**
 * Refuses programs that cannot be compiled. Compiles them on the evaluation thread, before an operation opens a transaction, so
 * that an expensive pattern holds no connection.
 */
export async function requireCompiled(
  { evaluator }: Pick<Services, 'evaluator'>,
  pageId: number,
  fields: ProgramField[],
): Promise<void> {
  if (fields.length === 0) return
  const problems = await evaluator.compile(
    pageId,
    fields.map(({ program }) => program),
  )
  if (!('ended' in problems)) {
    const errors = problems.flatMap((message, index) => (message ? [{ path: fields[index]!.path, message }] : []))
    if (errors.length > 0) throw invalid(errors)
  } else if (problems.ended === 'too_expensive') {
    throw invalid([{ path: fields[problems.at]!.path, message: 'takes too long to compile' }])
  } else {
    throw new Problem('unavailable', 'The service has too many patterns to compile: try again later.')
  }
}

import { z } from 'zod'
import { ConditionValue, conditionProblem, Operator } from '../../evaluation/schema.ts'
import { text } from '../../kernel/schema.ts'

/** The length of a JSON path bounds the cost of its compilation. */
export const MAX_PATH = 500

export const Assertion = z
  .strictObject({
    source: z.enum(['body', 'header', 'json']),
    path: text(MAX_PATH)
      .optional()
      .describe('For `header` its name, for `json` a JSON path such as `$.status`, for `body` absent'),
    operator: Operator,
    value: ConditionValue.optional().describe('Encrypted and never shown if the path names a secret'),
  })
  .superRefine(({ source, path, operator, value }, ctx) => {
    const wrong = (field: string, message: string | null) =>
      message && ctx.addIssue({ code: 'custom', path: [field], message })
    wrong('path', pathProblem(source, path))
    wrong('value', conditionProblem(operator, value))
  })
  .meta({ id: 'BeatAssertion' })
export type Assertion = z.infer<typeof Assertion>

function pathProblem(source: 'body' | 'header' | 'json', path: string | undefined): string | null {
  if (source === 'body') return path ? 'is for header and json: an assertion on body uses the whole body' : null
  if (source === 'json') return path ? null : 'is required for json, such as $.status'
  return path && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(path) ? null : 'must be the name of a header'
}

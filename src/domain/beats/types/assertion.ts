import { z } from 'zod'
import { ConditionValue, conditionProblem, Operator } from '../../evaluation/schema.ts'
import { text } from '../../kernel/schema.ts'

/** The length of a JSON path bounds what compiling it takes. */
export const MAX_PATH = 500

export const Assertion = z
  .strictObject({
    source: z.enum(['body', 'header', 'json']),
    path: text(MAX_PATH)
      .optional()
      .describe('A name for `header`, a JSON path such as `$.status` for `json`, none for `body`'),
    operator: Operator,
    value: ConditionValue.optional().describe('Encrypted and not shown again where the path names a secret'),
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
  if (source === 'body') return path ? 'is for headers and JSON: a body is looked at as a whole' : null
  if (source === 'json') return path ? null : 'is needed for json, such as $.status'
  return path && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(path) ? null : 'must be the name of a header'
}

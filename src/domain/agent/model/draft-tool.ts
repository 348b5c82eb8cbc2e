import { z } from 'zod'
import { invalid } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/parse.ts'
import { draftPlanSteps } from '../plans/draft-operation.ts'
import { MAX_STEPS, StepRequest } from '../plans/schema.ts'
import type { DraftStep, ResponseContext } from '../response-types.ts'
import { plain } from '../responses/text.ts'
import type { DeclaredChange } from './declare-changes.ts'
import { functionOf } from './reading-tools.ts'

const input = z.strictObject({ steps: z.array(z.strictObject(StepRequest.shape)).min(1).max(MAX_STEPS) })

/** The tool that collects the steps of a plan. Nothing is executed or stored here. */
export const draftFunction = functionOf({
  name: 'plan',
  description: 'Drafts the changes that the user asked for. `input.id` names the record of an operation on one record.',
  input,
})

const LONGEST_EFFECT = 600

/** The steps that a model asks for, if the message asked for them and each operation accepts its input. */
export async function draftDeclared(
  ctx: Pick<ResponseContext, 'read'>,
  changes: DeclaredChange[],
  given: unknown,
): Promise<DraftStep[]> {
  const { steps } = parseInput(input, given)
  const drafts = steps.map(({ operation: name, input: values }, index): DraftStep => {
    const declared = changes.find(({ operation }) => operation.name === name)
    const refuse = (message: string) => invalid([{ path: `steps.${index}.operation`, message }])
    if (!declared) throw refuse(`must be an operation that the message asks for: ${namesOf(changes)}`)
    const isRepeated = steps.slice(0, index).some((one) => one.operation === name)
    if (isRepeated && !declared.several) throw refuse(`is ${name} again, and the message asks for it once`)
    return { operation: declared.operation, input: values }
  })
  const named = drafts.map((one) => ({ operation: one.operation.name, input: one.input }))
  const drafted = await ctx.read(draftPlanSteps, { input: { steps: named } })
  return drafts.map((one, index) => ({ ...one, effect: plain(drafted.steps[index]!.effect, LONGEST_EFFECT) }))
}

const namesOf = (changes: DeclaredChange[]) => changes.map(({ operation }) => operation.name).join(', ')

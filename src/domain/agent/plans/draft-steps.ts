import { z } from 'zod'
import { redact } from '../../../outbound/redaction-rules.ts'
import type { ExpectedRecord, StoredPlanStep } from '../../../persistence/entities/action-plan.ts'
import type { Context } from '../../kernel/context.ts'
import { type FieldError, invalid, Problem } from '../../kernel/errors.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { parseInput } from '../../kernel/parse.ts'
import { splitInput } from '../operation-input.ts'
import { plain } from './conflicts.ts'
import { effectOf } from './effect-rules.ts'
import { requireReadable } from './step-permissions.ts'

export interface StepDraft {
  operation: string
  input: Record<string, unknown>
  /** In words; made from the operation and its input where absent. */
  effect?: string | undefined
}

/** Validates steps as their operations would, and remembers the records that they change. Writes nothing. */
export async function draftSteps(ctx: Context, drafts: StepDraft[]): Promise<StoredPlanStep[]> {
  const steps: StoredPlanStep[] = []
  for (const [index, draft] of drafts.entries()) {
    const step = await underPath(`steps.${index}`, () => draftStep(ctx, `s${index + 1}`, draft, steps))
    steps.push(step)
  }
  return steps
}

async function draftStep(
  ctx: Context,
  id: string,
  draft: StepDraft,
  before: StoredPlanStep[],
): Promise<StoredPlanStep> {
  const operation = plannable(ctx, draft.operation)
  const { input, ref } = splitInput(operation, draft.input)
  parseInput(operation.input, input)
  const { subject } = operation
  if (subject && !subject.singleton && !ref) {
    throw invalid([{ path: 'input.id', message: `is required: the id of the ${subject.kind}` }])
  }
  if (subject) requireReadable(ctx, id, operation)
  const record = subject && (await subject.find(ctx, ref, { lock: false }))
  if (subject && !record) throw invalid([{ path: 'input.id', message: `names no ${subject.kind} of this page` }])
  const expected = subject && expectedOf(operation, record)
  const isFirst = expected && !before.some((step) => isAbout(step, expected))
  const named = expected && { id: expected.id, name: nameOf(expected.snapshot) }
  return {
    id,
    operation: operation.name,
    ...(expected && !subject?.singleton ? { ref: { id: expected.id } } : {}),
    sealed_input: ctx.services.keyring.encrypt(JSON.stringify(input), SEAL),
    input: redact(input) as Record<string, unknown>,
    effect: draft.effect ?? effectOf(operation, input, named),
    // The steps before change their records themselves.
    ...(isFirst ? { expected } : {}),
    status: 'pending',
  }
}

export const SEAL = 'plan step'

const isAbout = ({ expected }: StoredPlanStep, { kind, id }: ExpectedRecord) =>
  expected?.kind === kind && expected.id === id

const nameOf = ({ title, name }: Record<string, unknown>) => (title ?? name) as string | undefined

function expectedOf({ subject }: AnyOperation, record: unknown): ExpectedRecord {
  const { version } = record as { version?: number }
  const snapshot = plain(subject!.snapshot(record)) as Record<string, unknown>
  return { kind: subject!.kind, id: subject!.id(record), ...(version === undefined ? {} : { version }), snapshot }
}

/** The operation of this name, if a plan may contain it. */
function plannable({ services, actor }: Context, name: string): AnyOperation {
  const operation = services.operations.get(name)
  const refuse = (message: string) => invalid([{ path: 'operation', message }])
  if (!operation) throw refuse(`must be the name of an operation, and ${JSON.stringify(name)} is not`)
  if (!operation.changes) throw refuse(`must change something: ${name} only reads, so call it directly`)
  if (operation.area === 'agent') throw refuse('must not be an operation on plans or turns')
  if (showsOnce(operation))
    throw refuse(`must not be ${name}: its answer shows a secret once, which a plan cannot keep`)
  if (actor.kind === 'anonymous') throw new Problem('unauthenticated', 'A plan needs a token.')
  return operation
}

/** Whether a plan may contain the operation. */
export const isPlannable = (operation: AnyOperation): boolean =>
  operation.changes && operation.area !== 'agent' && !showsOnce(operation)

/** Whether the answer of an operation has a value that is shown once. */
export const showsOnce = ({ output }: Pick<AnyOperation, 'output'>): boolean =>
  output instanceof z.ZodObject &&
  Object.values(output.shape as Record<string, z.ZodType>).some((field) => field.meta()?.shownOnce === true)

/** Adds the path of a step to the problems of its fields. */
async function underPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error
    const errors = (error.details.errors ?? []) as FieldError[]
    throw invalid(errors.map((one) => ({ ...one, path: joined(path, one.path) })))
  }
}

function joined(path: string, field: string): string {
  if (field === 'operation' || field.startsWith('input.')) return `${path}.${field}`
  return field === '' ? `${path}.input` : `${path}.input.${field}`
}

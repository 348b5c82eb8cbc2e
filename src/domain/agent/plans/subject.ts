import type { ProcessRef } from '../../../../workflows/processes.ts'
import { ActionPlan } from '../../../persistence/entities/action-plan.ts'
import { recordSubject } from '../../kernel/subject.ts'

export const planProcess = (id: number): ProcessRef => ({ kind: 'plan', id })

export const planSubject = recordSubject('plan', ActionPlan, ({ id, status, summary, steps, questions, version }) => ({
  ...{ id, status, summary, version },
  steps: steps.map(({ sealed_input: _sealed, expected: _expected, ...step }) => step),
  answers: Object.fromEntries(questions.map(({ key, answer }) => [key, answer ?? null])),
}))

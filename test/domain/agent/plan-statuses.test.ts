import { expect, test } from '@jest/globals'
import { endOfFailedPlan, isOpen, nextStatuses, statusOfDraft } from '../../../src/domain/agent/plans/status-rules.ts'
import type { PlanStatus, StoredPlanStep, StoredQuestion } from '../../../src/persistence/entities/action-plan.ts'

test('a plan waits until it is confirmed, and never leaves its end', () => {
  const statuses = Object.keys(nextStatuses) as PlanStatus[]
  expect(statuses.filter(isOpen)).toEqual(['needs_input', 'ready'])
  const ended = statuses.filter((status) => nextStatuses[status].length === 0)
  expect(ended).toEqual(['executed', 'failed', 'conflicted', 'expired', 'cancelled'])
  // Only a confirmation of a ready plan executes, and an executing plan can no longer be cancelled.
  expect(statuses.filter((status) => nextStatuses[status].includes('executing'))).toEqual(['ready'])
  expect(nextStatuses.executing).not.toContain('cancelled')
})

const question = (required: boolean, answer?: unknown): StoredQuestion => ({
  ...{ key: 'title', prompt: 'Which title?', kind: 'text', required },
  ...(answer === undefined ? {} : { answer }),
})

test.each([
  ['without steps', [], [], 'needs_input'],
  ['with a step', [1], [], 'ready'],
  ['with an open question', [1], [question(true)], 'needs_input'],
  ['with an answered question', [1], [question(true, 'Down')], 'ready'],
  ['with a question that may stay open', [1], [question(false)], 'ready'],
] as const)('a draft %s', (_name, steps, questions, status) => {
  expect(statusOfDraft([...steps], [...questions])).toBe(status)
})

const step = (id: string, status: StoredPlanStep['status']) => ({ id, status }) as StoredPlanStep

test.each([
  [['failed'], 'Step s1 failed: no.'],
  [['done', 'failed'], 'Step s2 failed: no. Step s1 was done and stays.'],
  [['done', 'done', 'failed', 'pending'], 'Step s3 failed: no. Steps s1, s2 were done and stay. Step s4 was not run.'],
  [['failed', 'pending', 'pending'], 'Step s1 failed: no. Steps s2, s3 were not run.'],
] as const)('the end of a plan with the steps %j', (statuses, sentence) => {
  const steps = statuses.map((status, index) => step(`s${index + 1}`, status))
  expect(endOfFailedPlan(steps, `s${statuses.indexOf('failed') + 1}`, 'no.')).toBe(sentence)
})

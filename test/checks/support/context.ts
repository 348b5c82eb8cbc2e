import { afterAll } from '@jest/globals'
import type { CheckContext } from '../../../activities/checks/contract.ts'
import { openEvaluator } from '../../../src/domain/evaluation/evaluator.ts'

const evaluator = openEvaluator()
afterAll(() => evaluator.close())

export const soon = (over: Partial<CheckContext> = {}): CheckContext => ({
  signal: new AbortController().signal,
  timeout_ms: 15_000,
  guard: 'any',
  evaluate: (evaluation) => evaluator.evaluate(1, evaluation),
  own_ports: { includes: () => false },
  ...over,
})

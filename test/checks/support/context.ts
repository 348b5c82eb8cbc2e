import type { CheckContext } from '../../../activities/checks/check.ts'

export const soon = (over: Partial<CheckContext> = {}): CheckContext => ({
  signal: new AbortController().signal,
  timeout_ms: 15_000,
  guard: 'any',
  ...over,
})

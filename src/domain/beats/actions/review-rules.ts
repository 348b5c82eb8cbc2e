export type Verdict = 'allowed' | 'existing' | 'refused'

/** Which decisions on an action are possible in which state. A failed action waits for a person again. */
const verdicts: Record<'approve' | 'reject', Record<string, Verdict>> = {
  approve: { pending_review: 'allowed', failed: 'allowed', approved: 'existing', executed: 'existing' },
  reject: { pending_review: 'allowed', failed: 'allowed', rejected: 'existing' },
}

export const verdictOn = (decision: 'approve' | 'reject', state: string): Verdict =>
  verdicts[decision][state] ?? 'refused'

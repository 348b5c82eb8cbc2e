/** The answer of a turn without what depends on the moment of the request: the plan and the delivery. */
export interface StoredAnswer {
  outcome: 'answered' | 'plan_drafted' | 'needs_input' | 'not_permitted' | 'not_understood'
  thread_title: string
  summary: string
  markdown: string
  sources?: Record<string, unknown>[]
  generated_by: 'rules' | 'model'
  fallback_reason?: string
}

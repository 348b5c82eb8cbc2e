interface Times {
  status: string
  scheduled_start_time?: string | null | undefined
  scheduled_end_time?: string | null | undefined
  started_at?: string | null | undefined
  ended_at?: string | null | undefined
}

/** The times of a maintenance for readers: when it started and ended, and until then when it is to. Pure. */
export function shownTimes({ status, ...times }: Times): { from: string | undefined; until: string | undefined } {
  const started = status === 'scheduled' ? undefined : times.started_at
  return {
    from: started ?? times.scheduled_start_time ?? undefined,
    until: times.ended_at ?? times.scheduled_end_time ?? undefined,
  }
}

import { inPage } from './stored-beats.ts'
import type { TestService } from './test-service.ts'

interface Result {
  beat_id: number
  /** When it was due, and made. */
  at: Date
  region: string
  ok: boolean
  latency_ms: number | null
  status_code: number | null
  slot: number | null
  target_number: number
  evidence: string
}

/** Stores results as checks would have. */
export async function storeResults(
  service: TestService,
  results: (Partial<Result> & Pick<Result, 'beat_id' | 'at'>)[],
) {
  await inPage(service, async ({ tx, pageId }) => {
    const usual = {
      region: 'local',
      ok: true,
      latency_ms: 100,
      status_code: 200,
      slot: null,
      target_number: 0,
      evidence: 'HTTP 200',
    }
    const rows = results.map((result) => ({ ...usual, page_id: pageId, due_at: result.at, ...result }))
    await tx.execute(
      `insert into beat_result (beat_id, due_at, region, page_id, slot, at, ok, latency_ms, status_code, target_number, evidence)
        select beat_id, due_at, region, page_id, slot, at, ok, latency_ms, status_code, target_number, evidence
        from jsonb_populate_recordset(null::beat_result, ?::jsonb)`,
      [JSON.stringify(rows)],
    )
  })
}

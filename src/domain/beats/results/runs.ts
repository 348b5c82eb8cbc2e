import { z } from 'zod'
import { countRuns, type RunRow, runsOf } from '../../../persistence/beat-runs.ts'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { invalid } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../../kernel/paging.ts'
import { moment, momentOut } from '../../kernel/schema.ts'
import { regionName } from '../definition/regions.ts'
import { beatSubject } from '../definition/subject.ts'

export const BeatRun = z
  .strictObject({
    id: z.int(),
    beat_id: z.int(),
    region: z.string(),
    slot: z.int().optional().describe('The number of the slot on the grid of the beat; absent for a requested check'),
    at: momentOut(),
    ok: z.boolean(),
    latency_ms: z.int().nullable(),
    status_code: z.int().optional(),
    packet_loss: z.number().optional(),
    certificate_days: z.int().optional(),
    evidence: z.string(),
  })
  .meta({ id: 'BeatRun' })

const present = (beatId: number, run: RunRow): z.input<typeof BeatRun> => ({
  id: run.id,
  beat_id: beatId,
  region: run.region,
  slot: run.slot ?? undefined,
  at: run.at.toISOString(),
  ok: run.ok,
  latency_ms: run.latency_ms,
  status_code: run.status_code ?? undefined,
  packet_loss: run.packet_loss ?? undefined,
  certificate_days: run.certificate_days ?? undefined,
  evidence: run.evidence,
})

export const listRuns = operation({
  name: 'beats.runs',
  area: 'beats',
  permission: 'read',
  summary: 'List the results of the checks of a beat, newest first',
  description:
    'Stored for `RESULT_DAYS`, by default 7; `metrics` reach further back. The list does not contain calls of heartbeats.',
  subject: beatSubject,
  input: z.strictObject({
    region: regionName().optional(),
    ok: z.stringbool().optional(),
    since: moment().optional(),
    until: moment().optional(),
    ...pagingFields,
  }),
  output: listOf('runs', BeatRun),
  run: async ({ tx }, { limit, cursor, since, until, ...only }, beat: Beat) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.moment, cursorKeys.text]))
    const filter = { ...only, since: since ? new Date(since) : undefined, until: until ? new Date(until) : undefined }
    if (filter.since && filter.until && filter.since > filter.until) {
      throw invalid([{ path: 'since', message: 'must not be after until' }])
    }
    const behind = after && { due_at: new Date(after[0]), region: after[1] }
    const rows = await runsOf(tx, beat.id, filter, { after: behind, limit: limit + 1 })
    const page = pageOf(rows, limit, ({ due_at, region }) => [due_at.toISOString(), region])
    return {
      runs: page.rows.map((run) => present(beat.id, run)),
      total: await countRuns(tx, beat.id, filter),
      next_cursor: page.next_cursor,
    }
  },
})

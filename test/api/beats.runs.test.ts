import { beforeAll, describe, expect, test } from '@jest/globals'
import { rollUpBeats } from '../../src/domain/beats/results/jobs.ts'
import { BeatTransition } from '../../src/persistence/entities/beat-transition.ts'
import { administer } from '../support/administrator.ts'
import { storeResults } from '../support/beat-results.ts'
import { serviceAt } from '../support/frozen-service.ts'
import { reportStage } from '../support/reported-stages.ts'
import { inPage, insertBeat } from '../support/stored-beats.ts'
import type { TestService } from '../support/test-service.ts'

const SECOND = 1000
const now = new Date('2026-03-01T10:17:30Z')
const ago = (ms: number) => new Date(now.getTime() - ms)

let service: TestService
serviceAt(now, (made) => {
  service = made
})

const read = async (path: string) => {
  const { status, body } = await service.admin.get(path)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

describe('the evidence that a beat shows', () => {
  const shown = async (id: number) => {
    const { last_evidence_summary: full } = await read(`/admin/beats/${id}`)
    const { beats } = await read('/admin/beats?limit=100')
    const compact = beats.find((one: { id: number }) => one.id === id).last_evidence_summary
    return [full, compact]
  }

  test('is the evidence of the last check, else of the last transition', async () => {
    const id = await insertBeat(service, { last_evidence_summary: 'HTTP 503', current_stage: 'critical' })
    expect(await shown(id)).toEqual(['HTTP 503', 'HTTP 503'])
    await storeResults(service, [
      { beat_id: id, at: ago(20 * SECOND), evidence: 'HTTP 502' },
      { beat_id: id, at: ago(10 * SECOND), evidence: 'HTTP 200' },
    ])
    expect(await shown(id)).toEqual(['HTTP 200', 'HTTP 200'])
  })

  test('is not the evidence of a check of an earlier target', async () => {
    const id = await insertBeat(service, { last_evidence_summary: 'HTTP 503' })
    await storeResults(service, [{ beat_id: id, at: ago(10 * SECOND), target_number: -1 }])
    expect(await shown(id)).toEqual(['HTTP 503', 'HTTP 503'])
  })
})

describe('runs', () => {
  let id: number
  beforeAll(async () => {
    id = await insertBeat(service)
    const each = [10, 20, 30].map((seconds) => ({ beat_id: id, at: ago(seconds * SECOND) }))
    await storeResults(service, [
      ...each.map((one, index) => ({ ...one, slot: 7 - index, region: 'eu' })),
      ...each.map((one) => ({ ...one, ok: false, latency_ms: null, status_code: null, evidence: 'refused' })),
      { beat_id: await insertBeat(service), at: ago(10 * SECOND) },
    ])
  })
  const runs = async (query = '') => (await read(`/admin/beats/${id}/runs${query}`)).runs
  const short = (list: { at: string; region: string }[]) =>
    list.map(({ at, region }) => `${(now.getTime() - Date.parse(at)) / SECOND} ${region}`)

  test('are listed newest first, with their results', async () => {
    const body = await read(`/admin/beats/${id}/runs`)
    expect(body.total).toBe(6)
    expect(short(body.runs)).toEqual(['10 local', '10 eu', '20 local', '20 eu', '30 local', '30 eu'])
    expect(body.runs.slice(0, 2)).toEqual([
      {
        ...{ id: expect.any(Number), beat_id: id, region: 'local', at: ago(10 * SECOND).toISOString() },
        ...{ ok: false, latency_ms: null, evidence: 'refused' },
      },
      {
        ...{ id: expect.any(Number), beat_id: id, region: 'eu', at: ago(10 * SECOND).toISOString(), slot: 7 },
        ...{ ok: true, latency_ms: 100, status_code: 200, evidence: 'HTTP 200' },
      },
    ])
  })

  test.each([1, 2, 4, 6])('are paged, %d at once', async (limit) => {
    const all: { at: string; region: string }[] = []
    let cursor: string | undefined
    do {
      const body = await read(`/admin/beats/${id}/runs?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`)
      expect(body.total).toBe(6)
      all.push(...body.runs)
      cursor = body.next_cursor
    } while (cursor)
    expect(short(all)).toEqual(short(await runs()))
  })

  test.each([
    ['?region=eu', ['10 eu', '20 eu', '30 eu']],
    ['?ok=true', ['10 eu', '20 eu', '30 eu']],
    ['?ok=false&region=local', ['10 local', '20 local', '30 local']],
    ['?ok=false&region=eu', []],
    [`?since=${ago(20 * SECOND).toISOString()}&region=eu`, ['10 eu', '20 eu']],
    [`?until=${ago(20 * SECOND).toISOString()}&region=eu`, ['30 eu']],
  ])('%s', async (query, expected) => {
    const body = await read(`/admin/beats/${id}/runs${query}`)
    expect(short(body.runs)).toEqual(expected)
    expect(body.total).toBe(expected.length)
  })

  test('are counted completely when some have a rollup', async () => {
    const beat_id = await insertBeat(service)
    const count = async (query = '') => (await read(`/admin/beats/${beat_id}/runs?limit=1${query}`)).total
    const counts = async () => [
      ...[await count(), await count('&ok=true'), await count('&ok=false'), await count('&region=eu')],
      ...[await count('&ok=false&region=eu'), await count(`&since=${ago(90 * SECOND).toISOString()}`)],
    ]
    await storeResults(
      service,
      Array.from({ length: 50 }, (_, n) => ({
        ...{ beat_id, at: ago(n * 10 * SECOND), ok: n % 5 !== 0, region: n % 2 === 0 ? 'eu' : 'us' },
      })),
    )
    const before = await counts()
    expect(before).toEqual([50, 40, 10, 25, 5, 10])
    await rollUpBeats(service.services)
    expect(await counts()).toEqual(before)
    // The oldest results are deleted, and their minutes are still stored.
    await administer(service, `delete from beat_result where beat_id = ${beat_id} and due_at < '2026-03-01T10:12:00Z'`)
    expect(await count()).toBe(34)
  })

  test.each([
    '?cursor=x',
    '?region=No!',
    '?ok=maybe',
    '?since=yesterday',
    `?since=${now.toISOString()}&until=${ago(1).toISOString()}`,
  ])('are refused for %s', async (query) => {
    expect((await service.admin.get(`/admin/beats/${id}/runs${query}`)).status).toBe(400)
  })

  test('belong to their page, and are found by the external id', async () => {
    for (const what of ['runs', 'transitions', 'metrics']) {
      expect((await service.otherAdmin.get(`/admin/beats/${id}/${what}`)).status).toBe(404)
      expect((await service.admin.get(`/admin/beats/external/none/${what}`)).status).toBe(404)
    }
    const named = await insertBeat(service, { external_id: 'shop' })
    await storeResults(service, [{ beat_id: named, at: ago(SECOND) }])
    expect((await read('/admin/beats/external/shop/runs')).total).toBe(1)
  })
})

test('transitions are listed newest first, with their actions or the reason for no action', async () => {
  const id = await insertBeat(service, { type: 'external_event', target: { kind: 'external_event' } })
  for (const [index, stage] of (['critical', 'healthy', 'warning'] as const).entries()) {
    service.now = new Date(now.getTime() + index)
    await inPage(service, (work) =>
      reportStage(work, id, { stage, event_id: `e${index}`, evidence: `it is ${stage}`, cause: `the event ${index}` }),
    )
  }
  await inPage(service, ({ tx }) =>
    tx.nativeUpdate(
      BeatTransition,
      { owner_kind: 'beat', owner_id: id, number: 1 },
      { actions: [{ kind: 'banner', id: 5, message: 'banner 5 shown' }] },
    ),
  )
  await inPage(service, ({ tx }) =>
    tx.nativeUpdate(BeatTransition, { owner_kind: 'beat', owner_id: id, number: 2 }, { not_acted_because: 'muted' }),
  )
  const { transitions, total, next_cursor } = await read(`/admin/beats/${id}/transitions?limit=2`)
  expect([total, transitions]).toEqual([
    3,
    [
      {
        ...{ number: 3, from_stage: 'healthy', to_stage: 'warning', at: new Date(now.getTime() + 2).toISOString() },
        ...{ cause: 'the event 2', evidence: 'it is warning', actions: [] },
      },
      {
        ...{ number: 2, from_stage: 'critical', to_stage: 'healthy', at: new Date(now.getTime() + 1).toISOString() },
        ...{ cause: 'the event 1', evidence: 'it is healthy', actions: [], not_acted_because: 'muted' },
      },
    ],
  ])
  const rest = await read(`/admin/beats/${id}/transitions?limit=2&cursor=${next_cursor}`)
  expect(rest).toEqual({
    total: 3,
    transitions: [
      {
        ...{ number: 1, from_stage: null, to_stage: 'critical', at: now.toISOString() },
        ...{ cause: 'the event 0', evidence: 'it is critical' },
        actions: [{ kind: 'banner', id: 5, message: 'banner 5 shown' }],
      },
    ],
  })
})

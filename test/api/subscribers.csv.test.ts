import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readCsv } from '../../src/domain/subscribers/csv/read-csv.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const type = { 'Content-Type': 'text/csv; charset=utf-8' }
const send = (csv: string, query = '', headers = {}) =>
  service.admin.request('POST', `/admin/subscribers/import${query}`, csv, { ...type, ...headers })
const exported = async () => (await service.admin.get('/admin/subscribers/export')).body as string
async function rowOf(email: string): Promise<Record<string, string>> {
  const [header = '', ...lines] = (await exported()).split('\r\n')
  const cells = lines.find((line) => line.includes(email))!.split(',')
  return Object.fromEntries(header.split(',').map((name, index) => [name, cells[index]!]))
}
const confirmations = async () =>
  (await service.admin.get('/admin/notifications?key=subscription.confirm')).body.total as number

describe('an import', () => {
  test('stores each line by itself, and reports each line', async () => {
    const { body: item } = await service.admin.post('/admin/hierarchy/items', {
      ...{ name: 'Search', slug: 'search', external_id: 'ext-1' },
    })
    const { body: gone } = await service.admin.post('/admin/subscribers', {
      ...{ channel: 'email', email: 'suppressed@example.com', confirmed: true },
    })
    await service.admin.post(`/admin/subscribers/${gone.id}/suppress`)
    const before = await confirmations()
    const lines = [
      '\uFEFFItems,email,event_kinds,locale',
      'search,One@Example.com,incident.created; incident.resolved,de',
      ',"two@example.com",,',
      'ext-1;nothing,three@example.com,,',
      '',
      ',one@example.com,,',
      ',broken,,',
      ',four@example.com,beat.review_requested,',
      ',five@example.com,,xx-!!',
      ',suppressed@example.com,,',
      `${item.id};search,"six@example.com"`,
      ',seven@example.com,incident.created,incident.resolved,de',
      ',eight@example.com,,,,',
    ]
    const { status, body } = await send(lines.join('\r\n'))
    expect([status, body]).toEqual([
      200,
      {
        ...{ created: 4, updated: 0, skipped: 2, failed: 5 },
        lines: [
          { line: 2, outcome: 'created', message: 'A mail asks the person to confirm.' },
          { line: 3, outcome: 'created', message: 'A mail asks the person to confirm.' },
          { line: 4, outcome: 'failed', message: 'There is no item "nothing" on this page.' },
          { line: 6, outcome: 'skipped', message: 'Line 2 has this address.' },
          { line: 7, outcome: 'failed', message: 'The email is no valid address.' },
          {
            ...{ line: 8, outcome: 'failed' },
            message: '"beat.review_requested" is no kind of event that subscribers are informed of.',
          },
          { line: 9, outcome: 'failed', message: '"xx-!!" is no language tag such as pt-BR.' },
          { line: 10, outcome: 'skipped', message: 'The address is suppressed.' },
          { line: 11, outcome: 'created', message: 'A mail asks the person to confirm.' },
          {
            ...{ line: 12, outcome: 'failed' },
            message: 'The line has more cells than the header line, such as "de".',
          },
          { line: 13, outcome: 'created', message: 'A mail asks the person to confirm.' },
        ],
      },
    ])
    // One notification for all: others do not wait behind thousands of confirmations.
    expect((await confirmations()) - before).toBe(1)
    expect(await rowOf('One@Example.com')).toMatchObject({
      ...{ state: 'pending', source: 'import', locale: 'de', items: `${item.id}` },
      event_kinds: 'incident.created;incident.resolved',
    })
    expect(await rowOf('two@example.com')).toMatchObject({ items: '', locale: '', version: '1' })
    const { audit_events } = (await service.admin.get('/admin/audit-events?operation=subscribers.import')).body
    expect(audit_events[0].after).toEqual({ created: 4, updated: 0, skipped: 2, failed: 5 })
  })

  test('changes stored subscribers only where a line differs, and states consent', async () => {
    const before = await confirmations()
    expect((await send('email\na@example.com\n', '?confirmed=true')).body).toMatchObject({ created: 1 })
    expect(await rowOf('a@example.com')).toMatchObject({ state: 'active', confirmed_at: expect.stringContaining('T') })
    const again = await send('email\nA@example.com\n', '?confirmed=true')
    expect(again.body).toMatchObject({ updated: 0, skipped: 1 })
    const changed = await send('locale,email,event_kinds\nfr,a@example.com,incident.created\n')
    expect(changed.body).toMatchObject({ updated: 1, lines: [{ line: 2, outcome: 'updated' }] })
    expect(await rowOf('a@example.com')).toMatchObject({
      ...{ state: 'active', locale: 'fr', event_kinds: 'incident.created', version: '2' },
    })
    expect(await confirmations()).toBe(before)
    await send('email\nb@example.com\n')
    expect((await send('email\nb@example.com\n', '?confirmed=true')).body).toMatchObject({ updated: 1 })
    expect(await rowOf('b@example.com')).toMatchObject({ state: 'active' })
  })

  test.each([
    ['a file without the column', 'name\nx\n', /needs a header line with the column `email`/],
    ['an empty file', '', /needs a header line/],
    ['an unknown column', 'email,phone\na@example.com,1\n', /unknown column "phone"/],
    ['a column twice', 'email,email\na@example.com,1\n', /column "email" twice/],
    ['a quote that does not end', 'email\n"a@example.com\n', /no valid CSV/],
    ['text behind a quote', 'email\n"a"b@example.com\n', /no valid CSV/],
  ])('%s is refused', async (_name, csv, message) => {
    const { status, body } = await send(csv)
    expect([status, body.errors?.[0]]).toEqual([400, { path: 'csv', message: expect.stringMatching(message) }])
  })

  test('is refused as another type, too large, with unknown parameters and as no UTF-8', async () => {
    expect((await send('email\n', '', { 'Content-Type': 'application/json' })).status).toBe(415)
    expect((await send('x'.repeat(1024 * 1024 + 1))).status).toBe(413)
    expect((await send('email\n', '?colour=red')).body.errors[0].path).toBe('colour')
    expect((await send('email\n', '?confirmed=perhaps')).body.errors).toEqual([
      { path: 'confirmed', message: 'must be true or false' },
    ])
    const { status } = await fetch(`${service.url}/api/v1/admin/subscribers/import`, {
      ...{ method: 'POST', body: Buffer.from([0x65, 0xff, 0xfe]) },
      headers: { ...type, Authorization: `Bearer ${await service.token()}` },
    })
    expect(status).toBe(400)
  })

  test('of many lines leaves the event loop to others', async () => {
    const count = 10_000
    const lines = Array.from({ length: count }, (_, n) => `many${n}@example.com,en,,incident.created`)
    let turns = 0
    let isRunning = true
    const counting = (async () => {
      for (; isRunning; turns += 1) await sleep(1)
    })()
    const { body } = await send(`email,locale,items,event_kinds\n${lines.join('\n')}`, '?confirmed=true')
    isRunning = false
    await counting
    expect([body.created, body.lines.length]).toEqual([count, count])
    expect(turns).toBeGreaterThan(40)
    const all = (await exported()).trimEnd().split('\r\n')
    expect(all.length).toBeGreaterThan(count)
    const ids = all.slice(1).map((line) => Number(line.split(',')[0]))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

test('a file with too many lines is refused as a whole', async () => {
  // The empty lines at the end do not count.
  expect((await send(`email\n${'x\n'.repeat(50_000)}${'\n'.repeat(10_000)}`)).body.failed).toBe(50_000)
  const { status, body } = await send(`email\n${'x\n'.repeat(50_001)}`)
  const message = 'has more than 50000 lines: import it in several files'
  expect([status, body.errors]).toEqual([400, [{ path: 'csv', message }]])
})

describe('an export', () => {
  test('is CSV that no spreadsheet takes for formulas', async () => {
    const { body } = await service.admin.post('/admin/subscribers', { channel: 'email', email: '=cmd@example.com' })
    await service.admin.post(`/admin/subscribers/${body.id}/suppress`, { reason: '+1, "quoted"\nand more' })
    const { headers, status } = await service.admin.get('/admin/subscribers/export')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers.get('content-disposition')).toBe('attachment; filename="subscribers.csv"')
    const text = await exported()
    expect(text).toContain(`,'=cmd@example.com,`)
    expect(text).toContain(`,"'+1, ""quoted""\nand more",`)
  })

  test('has the scope of each subscriber', async () => {
    const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: 'Exported' })
    const { body: view } = await service.admin.post('/admin/views', { name: 'Exported', items: [{ id: item.id }] })
    const scopes = [
      [{ scope: { kind: 'page' } }],
      [{ scope: { kind: 'items', items: [{ id: item.id }] } }],
      [{ scope: { kind: 'view', view_id: view.id } }],
      [],
    ].map((subscriptions) => subscriptions.map((one) => ({ ...one, event_kinds: ['incident.created'] })))
    const ids: number[] = []
    for (const [index, subscriptions] of scopes.entries()) {
      const subscriber = { channel: 'email', email: `scope${index}@example.com`, subscriptions }
      ids.push((await service.admin.post('/admin/subscribers', subscriber)).body.id)
    }
    const [header, ...lines] = (await exported())
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    const from = header!.indexOf('scope')
    expect(header!.slice(from, from + 4)).toEqual(['scope', 'items', 'view_ids', 'event_kinds'])
    const cellsOf = (id: number) => lines.find(([cell]) => cell === String(id))!.slice(from, from + 4)
    expect(ids.map(cellsOf)).toEqual([
      ['page', '', '', 'incident.created'],
      ['items', String(item.id), '', 'incident.created'],
      ['view', '', String(view.id), 'incident.created'],
      ['', '', '', ''],
    ])
  })

  test('needs admin permission', async () => {
    const reader = service.as(await service.token({ permission: 'read' }))
    expect(await reader.get('/admin/subscribers/export')).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })
})

test('the lines of a file are counted across quotes and empty lines', async () => {
  const rows = await readCsv('email,locale\n\n"a@example.com","d\ne"\r\n')
  expect(rows).toMatchObject([{ cells: { email: 'a@example.com', locale: 'd\ne', items: '' } }])
})

test('an exported file can be imported, and an address that begins like a formula keeps its spelling', async () => {
  await service.admin.post('/admin/subscribers', { channel: 'email', email: '+plus@example.com', confirmed: true })
  const lines = (await exported()).split('\r\n')
  const csv = [lines[0], lines.find((line) => line.includes("'+plus@example.com"))].join('\r\n')
  const target = `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin/subscribers`
  const { status } = await service.otherAdmin.request('POST', `${target}/import?confirmed=true`, csv, {
    'Content-Type': 'text/csv',
  })
  expect(status).toBe(200)
  const { body } = await service.otherAdmin.get(`${target}?view=full&search=plus`)
  expect(body.subscribers.map(({ email }: { email: string }) => email)).toEqual(['+plus@example.com'])
})

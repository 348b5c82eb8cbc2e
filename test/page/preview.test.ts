import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { worstOfDays } from '../../src/page/preview/state-picture.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'
import { types } from './samples.ts'

/** The picture of a page for previews of links. */

let service: TestService
beforeAll(async () => {
  service = await openTestService()
  await service.admin.post('/admin/hierarchy/items', { name: 'Shop' })
})
afterAll(() => service.close())

async function read(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(new URL(path, service.url), { headers })
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) }
}

/** The colour of a pixel. */
function pixelOf(png: Buffer, x: number, y: number): string {
  const width = png.readUInt32BE(16)
  const at = png.indexOf('IDAT')
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))
  const start = y * (1 + width * 3) + 1 + x * 3
  return `#${rows.subarray(start, start + 3).toString('hex')}`
}

const stripe = async () => pixelOf((await read('/preview.png')).body, 600, 5)

test('has the size that pages announce', async () => {
  const { status, headers, body } = await read('/preview.png?utm_source=chat')
  expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  expect([body.toString('latin1', 1, 4), body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual(['PNG', 1200, 630])
  expect(body.length).toBeLessThan(60_000)
  const known = await read('/preview.png', { 'If-None-Match': headers.get('etag')! })
  expect(known.status).toBe(304)
})

test('shows the state, and changes with it', async () => {
  const before = await stripe()
  const report = { title: 'Down', status: 'major_outage' }
  const { body } = await service.admin.post('/admin/incidents', report)
  const during = await until(stripe, (color) => color !== before)
  const { status_types } = (await service.admin.get('/admin/status-types')).body
  const color = (key: string) => status_types.find((type: { key: string }) => type.key === key).color
  expect([before, during]).toEqual([color('operational'), color('major_outage')])
  await service.admin.post(`/admin/incidents/${body.id}/resolve`)
  await until(stripe, (color) => color === before)
})

test.each(['', '/history', '/status/first'])('is named by its absolute address on the page %j', async (path) => {
  const { body } = await service.as(undefined).get(`/${path || '/'}`)
  const { public_url } = (await service.admin.get('/admin/page')).body
  expect(body).toContain(`<meta property="og:image" content="${public_url.replace(/\/$/, '')}/preview.png">`)
  expect(body).toContain('<meta property="og:image:width" content="1200">')
  expect(body).toContain('<meta property="og:image:height" content="630">')
  expect(body).toMatch(/<meta property="og:image:alt" content="The present state of First/)
  expect(body).toContain('<meta name="twitter:card" content="summary_large_image">')
})

describe('a bar', () => {
  const days = (...statuses: (string | null)[]) => ({ days: statuses.map((status) => ({ status })) })

  test.each([
    [[], []],
    [[days('operational', null)], ['operational', null]],
    [
      [days('operational', null), days('degraded', 'operational')],
      ['degraded', 'operational'],
    ],
    [[days('major_outage'), days('degraded')], ['major_outage']],
    [[days('unknown'), days(null)], ['unknown']],
  ])('has the worst status of all items', (items, expected) => {
    expect(worstOfDays({ items }, types)).toEqual(expected)
  })
})

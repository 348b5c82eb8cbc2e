import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeItem } from '../support/maintenances.ts'
import { plainRequest } from '../support/plain-request.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const COMPONENTS = '/api/v1/pages/public/first/components'
let service: TestService
beforeAll(async () => {
  service = await openTestService()
  for (let n = 0; n < 10; n += 1) await makeItem(service, `Item ${n}`)
})
afterAll(() => service.close())

const send = (path: string, headers?: Record<string, string>, method?: string) =>
  plainRequest(service.url + path, headers, method)

const read = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body }
const encodings = Object.keys(read) as (keyof typeof read)[]

test.each(['/', COMPONENTS, '/api/v1/openapi.json', '/api/docs/swagger-ui.css'])(
  'the answer at %s is the same in every encoding',
  async (path) => {
    const plain = await send(path)
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined])
    for (const encoding of encodings) {
      const headers = { 'Accept-Encoding': encoding }
      const answer = await send(path, headers)
      expect(read[encoding](answer.body).equals(plain.body)).toBe(true)
      expect(answer.headers.vary).toMatch(/(^|, )Accept-Encoding$/)
      expect(answer.headers['content-encoding'] ?? 'identity').toBe(encoding)
      expect(answer.headers['content-length']).toBe(String(answer.body.length))
      const again = await send(path, headers, 'HEAD')
      expect({ ...again.headers, date: '', 'x-request-id': '' }).toEqual({
        ...{ ...answer.headers, date: '', 'x-request-id': '' },
      })
      expect(again.body.length).toBe(0)
    }
  },
)

test('each encoding has an ETag, and a client has the body if it knows one of them', async () => {
  const etags = []
  for (const encoding of encodings) {
    const { etag } = (await send(COMPONENTS, { 'Accept-Encoding': encoding })).headers
    etags.push(etag)
    for (const other of encodings) {
      const headers = { 'Accept-Encoding': other, 'If-None-Match': etag! }
      const { status, headers: answered, body } = await send(COMPONENTS, headers)
      expect([status, answered.etag, body.length]).toEqual([304, etag, 0])
      expect([answered['content-encoding'], answered.vary]).toEqual([undefined, 'Accept-Language, Accept-Encoding'])
    }
  }
  expect(new Set(etags).size).toBe(3)
})

test('a short answer is not compressed', async () => {
  const { headers, body } = await send('/api/v1/incidents', { 'Accept-Encoding': 'br' })
  expect(body.length).toBeLessThan(1024)
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'Accept-Language, Accept-Encoding'])
})

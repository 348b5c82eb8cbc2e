import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { fillExample } from '../../src/domain/pages/example.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { allOperations, type Document, exampleRequest } from './support/document.ts'

let service: TestService
let document: Document
beforeAll(async () => {
  service = await openTestService()
  await fillExample(service.services, service.page)
  document = (await service.admin.get('/openapi.json')).body
})
afterAll(() => service.close())

/** Only checks and events make what these are about. */
const madeByChecks = /^(beat_actions|banners|external_events|beats\.open_fingerprints)\./
/** Only the steps of processes, and the mails of a subscriber, make what these are about. */
const madeBySteps =
  /^(agent\.(delivery|feedback|plans\.(respond|cancel))|subscribers\.bounces|notifications\.read|deliveries\.(get|retry))/
/** The token that is sent must not revoke itself. */
const ofTokens = /^tokens\.(revoke|delete)/

interface Sent {
  path: string
  method: string
  operation: Document
}

/** As a reader of the document sends it who changes nothing of what is filled in. */
function send({ path, method, operation }: Sent) {
  const values = Object.fromEntries(operation.parameters.map((one: Document) => [one.name, one.example]))
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name])))
  const { body, headers } = exampleRequest(document, path, method)
  return service.admin.request(method.toUpperCase(), filled.replace('/api/v1', ''), body, headers)
}

/** What a reader has sent just before, where the request needs a record in another state. */
const first: Record<string, string> = { 'incidents.report.publish': 'incidents.resolve' }
/** The first ones name the records that the example page has; the last ones end what others need. */
const rankOf = ({ method, operation: { operationId } }: Sent) => {
  if (operationId.endsWith('.reorder')) return 0
  return operationId === 'series.end' ? 2 : method === 'get' ? 3 : method === 'delete' ? 4 : 1
}

test('every request works on the example page as the document has it filled in', async () => {
  const all = allOperations(document).filter(
    ({ path, operation: { operationId } }) =>
      path.includes('/admin/') &&
      !madeByChecks.test(operationId) &&
      !madeBySteps.test(operationId) &&
      !ofTokens.test(operationId),
  )
  const failed: unknown[] = []
  for (const one of all.sort((a, b) => rankOf(a) - rankOf(b))) {
    const { operationId } = one.operation
    const before = all.find(({ operation }) => operation.operationId === first[operationId])
    if (before) await send(before)
    const { status, body } = await send(one)
    // What others refer to cannot be deleted.
    const fine = status < 300 || (one.method === 'delete' && [404, 409].includes(status))
    if (!fine) failed.push([operationId, status, body.error, body.errors])
  }
  expect(failed).toEqual([])
})

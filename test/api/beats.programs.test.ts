import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Evaluator } from '../../src/domain/evaluation/evaluator.ts'
import { beatsPath, httpBeat } from '../support/beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const url = 'https://example.com/'
const regex = (value: string) => ({ source: 'body', operator: 'regex', value })
const beat = (...assertions: object[]) => ({ ...httpBeat, target: { url, assertions } })

test('twenty patterns of nested repetitions are refused by their texts, with the limit', async () => {
  const assertions = Array.from({ length: 20 }, (_, index) => regex(`${'(a*){999}'.repeat(54)}${index}`))
  const { status, body } = await service.admin.post(beatsPath, beat(...assertions))
  expect(status).toBe(400)
  expect(body.errors).toHaveLength(20)
  expect(body.errors[0]).toEqual({
    path: 'target.assertions.0.value',
    message: expect.stringMatching(/^repeats too much for regex: its repetitions multiply to \d+ parts, and 2000 are/),
  })
})

const wrong = beat(regex('fine'), regex('('), { source: 'json', path: 'status', operator: 'exists' })
const problems = [
  { path: 'target.assertions.1.value', message: expect.stringMatching(/^is not a regular expression of RE2/) },
  { path: 'target.assertions.2.path', message: expect.stringMatching(/^is not a JSON path such as/) },
]

test('patterns and paths that cannot be compiled are refused wherever a target is written', async () => {
  const { body: stored } = await service.admin.post(beatsPath, beat(regex('fine')))
  const { target } = wrong
  const answers = [
    await service.admin.post(beatsPath, wrong),
    await service.admin.request('PUT', `${beatsPath}/external/programs`, wrong),
    await service.admin.patch(`${beatsPath}/${stored.id}`, { target }),
    await service.admin.post(`${beatsPath}/test`, wrong),
  ]
  for (const { status, body } of answers) expect([status, body.errors]).toEqual([400, problems])
  expect((await service.admin.get(`${beatsPath}/${stored.id}`)).body.version).toBe(stored.version)
})

test.each<[Awaited<ReturnType<Evaluator['compile']>>, number, object]>([
  [
    { ended: 'too_expensive', at: 1 },
    400,
    { errors: [{ path: 'target.assertions.2.path', message: 'takes too long to compile' }] },
  ],
  [{ ended: 'overloaded' }, 503, { code: 'unavailable' }],
])('a compilation that ended with %j is answered with %i', async (ended, status, answer) => {
  const { evaluator } = service.services
  service.services.evaluator = { ...evaluator, compile: async () => ended }
  const path = { source: 'json', path: '$.a', operator: 'exists' }
  const { status: answered, body } = await service.admin.post(
    beatsPath,
    beat(regex('fine'), { source: 'header', path: 'Age', operator: 'exists' }, path),
  )
  service.services.evaluator = evaluator
  expect(answered).toBe(status)
  expect(body).toMatchObject(answer)
})

test('a target without patterns and paths compiles nothing', async () => {
  const { evaluator } = service.services
  service.services.evaluator = { ...evaluator, compile: () => Promise.reject(new Error('nothing is to be compiled')) }
  const { status } = await service.admin.post(beatsPath, beat({ source: 'header', path: 'Age', operator: 'exists' }))
  service.services.evaluator = evaluator
  expect(status).toBe(201)
})

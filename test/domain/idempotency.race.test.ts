import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { z } from 'zod'
import type { Actor } from '../../src/domain/kernel/context.ts'
import { execute } from '../../src/domain/kernel/execute.ts'
import { ownerOf } from '../../src/domain/kernel/idempotency.ts'
import { operation } from '../../src/domain/kernel/operation.ts'
import { writeLedger } from '../../src/persistence/ledger.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const actor: Actor = { kind: 'system', name: 'racer', permission: 'admin', role_key: 'page_admin' }
const key = 'raced'

test('a request that missed an answer in writing is rolled back and then finds the answer', async () => {
  const { services, page } = service
  let runs = 0
  const raced = operation({
    name: 'test.raced',
    area: 'incidents',
    permission: 'write',
    summary: 'Is overtaken by the same request, which let go of the key before this one looked',
    input: z.strictObject({}),
    output: z.strictObject({ by: z.string() }),
    run: async (ctx) => {
      runs += 1
      await inPageTransaction(services.app, page.id, (tx) =>
        writeLedger(tx, {
          pageId: page.id,
          now: ctx.now,
          firstScanAt: ctx.now,
          events: [],
          notes: [],
          wakeups: [],
          idempotency: {
            actor: ownerOf(actor),
            key,
            request_hash: ctx.requestHash,
            existing: false,
            output: { by: 'other' },
          },
        }),
      )
      await ctx.tx.execute(`update page set name = 'changed by the slower one'`)
      return { by: 'slower' }
    },
  })
  const outcome = await execute(services, raced, { page, actor, requestId: 'r', input: {}, idempotencyKey: key })
  expect(outcome).toEqual({ output: { by: 'other' }, existing: false, replayed: true })
  expect(runs).toBe(1)
  const pages = await services.system.em.fork().execute<object[]>('select name from page')
  expect(JSON.stringify(pages)).not.toContain('slower')
})

test('a key is free again after a day', async () => {
  const { services, admin } = service
  const post = () => admin.post('/admin/incidents', { title: 'Down' }, { 'Idempotency-Key': 'daily' })
  const first = await post()
  await services.system.em.fork().execute(`update idempotency_record set created_at = now() - interval '25 hours'`)
  const second = await post()
  expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(second.body.id).not.toBe(first.body.id)
  expect((await post()).body.id).toBe(second.body.id)
})

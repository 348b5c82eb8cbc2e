import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { run, runUnprepared, sql } from '../../src/persistence/sql.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

test('a statement with parameters is prepared once, and one that is planned each time is not', async () => {
  await inPageTransaction(service.services.app, service.page.id, async (tx) => {
    const answers = [
      await run(tx, sql`select ${1}::int as a_prepared_number`),
      await run(tx, sql`select ${2}::int as a_prepared_number`),
      await runUnprepared(tx, sql`select ${3}::int as a_planned_number`),
    ]
    expect(answers).toEqual([[{ a_prepared_number: 1 }], [{ a_prepared_number: 2 }], [{ a_planned_number: 3 }]])
    const prepared = await run<{ statement: string }>(
      tx,
      sql`select statement from pg_prepared_statements where statement like '%\\_number'`,
    )
    expect(prepared).toEqual([{ statement: 'select $1::int as a_prepared_number' }])
  })
})

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ApiToken } from '../../src/persistence/entities/api-token.ts'
import { Secret } from '../../src/persistence/entities/secret.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const lines: string[] = []
const logger = createLogger('debug', 'test', { write: (line) => lines.push(line) })
const logged = (work: () => void) => {
  lines.length = 0
  work()
  return lines.join('')
}

describe('credentials in a log', () => {
  test.each([
    ['at the top', { token: 'S3CRET' }],
    ['in an object', { request: { token: 'S3CRET' } }],
    ['deep below', { a: { b: { c: [{ password: 'S3CRET' }] } } }],
    ['in headers', { headers: { authorization: 'Bearer S3CRET', Cookie: 'session=S3CRET' } }],
    ['under another name', { smtp: { email_smtp_password: 'S3CRET', client_secret: 'S3CRET', ingestToken: 'S3CRET' } }],
    ['as what it is checked by', { record: { hash: 'S3CRET', ciphertext: 'S3CRET' } }],
  ])('is censored %s', (_where, object) => {
    const line = logged(() => logger.info(object, 'hello'))
    expect(line).toContain('hello')
    expect(line).toContain('…')
    expect(line).not.toContain('S3CRET')
  })

  test('what only sounds like it is not', () => {
    const line = logged(() => logger.info({ token_id: 17, page_id: 1, at: new Date(0), list: [1, null] }, 'x'))
    expect(JSON.parse(line)).toMatchObject({
      token_id: 17,
      page_id: 1,
      at: '1970-01-01T00:00:00.000Z',
      list: [1, null],
    })
  })

  test('an object that holds itself is logged all the same', () => {
    const self: Record<string, unknown> = { token: 'S3CRET' }
    self.self = self
    expect(logged(() => logger.info(self, 'x'))).not.toContain('S3CRET')
  })
})

describe('an error from the database', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openTestService()
  })
  afterAll(() => service.close())

  const inPage = (work: Parameters<typeof inPageTransaction>[2]) =>
    inPageTransaction(service.services.app, service.page.id, work)
  const row = (values: object) => ({
    page_id: service.page.id,
    name: 'n',
    key_id: 'k',
    updated_at: new Date(),
    ...values,
  })
  const failures: [string, () => Promise<unknown>][] = [
    [
      'an insert through the ORM',
      () =>
        inPage(async (tx) => {
          await tx.insert(Secret, row({ ciphertext: 'S3CRET - S3CRET' }) as never)
          await tx.insert(Secret, row({ ciphertext: 'S3CRET - S3CRET\nS3CRET' }) as never)
        }),
    ],
    [
      'a flush',
      () =>
        inPage(async (tx) => {
          tx.create(Secret, row({ ciphertext: null, name: 'S3CRET' }) as never)
          await tx.flush()
        }),
    ],
    [
      'an update',
      () => inPage((tx) => tx.nativeUpdate(ApiToken, { hash: { $ne: 'S3CRET' } }, { name: null } as never)),
    ],
    ['a select', () => inPage((tx) => tx.find(ApiToken, { id: 'S3CRET' } as never))],
    [
      'a query builder',
      () => inPage((tx) => tx.createQueryBuilder(ApiToken).where('nothing = ?', ['S3CRET']).execute()),
    ],
    ['raw SQL', () => inPage((tx) => tx.execute('with x as (select ? as y) select y::int from x', ['S3CRET']))],
    ['a delete', () => inPage((tx) => tx.execute('delete from secret where name = ? and nothing = ?', ['S3CRET', 1]))],
  ]

  test.each(failures)('the log of %s holds the reason and quotes no value', async (_title, provoke) => {
    const error = await provoke().then(
      () => undefined,
      (reason) => reason,
    )
    expect(error).toBeInstanceOf(Error)
    for (const given of [{ err: error }, { err: new Error('outer', { cause: error }) }]) {
      const line = logged(() => logger.error(given, 'it failed'))
      expect(line).not.toContain('S3CRET')
      const { err } = JSON.parse(line)
      if (err.type !== 'ValidationError') expect(err.code).toMatch(/^[0-9A-Z]{5}$/)
      expect(err.message.length).toBeGreaterThan(10)
      expect(err.stack).toMatch(/^\s+at /)
    }
  })

  test('another error keeps its words', () => {
    const { err } = JSON.parse(logged(() => logger.error({ err: new TypeError('x is not a function') }, 'it failed')))
    expect(err).toMatchObject({ type: 'TypeError', message: 'x is not a function' })
    expect(JSON.parse(logged(() => logger.error({ err: 'just words' }, 'x'))).err).toEqual({ message: 'just words' })
  })
})

import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import Router from '@koa/router'
import Koa from 'koa'
import { serveHealth } from '../../src/api/health.ts'
import type { ApiState } from '../../src/web/state.ts'

test('requests for the readiness at the same time cost one check of the database', async () => {
  let checks = 0
  const checked = Promise.withResolvers<boolean>()
  const router = new Router<ApiState>()
  const database = () => {
    checks += 1
    return checked.promise
  }
  serveHealth(router, { database, temporal: async () => true })
  const server = new Koa().use(router.routes() as unknown as Koa.Middleware).listen(0)
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`
    const asked = Array.from({ length: 20 }, () => fetch(url).then(({ status }) => status))
    setTimeout(() => checked.resolve(true), 50)
    expect(new Set(await Promise.all(asked))).toEqual(new Set([200]))
    expect(checks).toBeLessThan(20)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

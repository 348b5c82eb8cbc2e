import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

test('a caller who breaks off leaves nothing on the terminal: what is said of it is in the log', async () => {
  const said = jest.spyOn(console, 'error').mockImplementation(() => {})
  const { hostname, port } = new URL(house.url)
  for (const rest of ['Content-Length: 50\r\n\r\n{"ti', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"tit\r\nzz\r\n']) {
    const socket = connect(Number(port), hostname)
    const head = `POST /api/v1/admin/incidents HTTP/1.1\r\nHost: status.test\r\nContent-Type: application/json\r\n`
    const token = await house.token()
    socket.write(`${head}Authorization: Bearer ${token}\r\n${rest}`)
    await sleep(100)
    socket.destroy()
  }
  await sleep(200)
  expect((await house.admin.get('/admin/incidents')).body.total).toBe(0)
  expect(said.mock.calls).toEqual([])
  said.mockRestore()
})

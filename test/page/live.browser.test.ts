import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openPage } from '../support/browser.ts'
import { type ExampleSite, openExampleSite } from '../support/example-site.ts'
import { until } from '../support/wait.ts'

/** How pages stay current with their stream. */

let site: ExampleSite
let item: number
beforeAll(async () => {
  site = await openExampleSite()
  item = (await site.service.admin.get('/admin/hierarchy/items?limit=1')).body.items[0].id
})
afterAll(() => site.service.close())

const report = async (title: string): Promise<number> => {
  const { status, body } = await site.service.admin.post('/admin/incidents', { title, status: 'degraded' })
  expect(status).toBe(201)
  return body.id
}

test('a page from the history of the browser shows what happened meanwhile', async () => {
  const page = await openPage(site.service, '/')
  await page.goto(`${site.service.url}/items/${item}`)
  const id = await report('Reported while the reader was elsewhere')
  await page.goBack()
  await page.locator(`#incident-${id}`).waitFor()
  await page.context().close()
})

test('a change between a page and its script appears', async () => {
  const page = await openPage(site.service, '/')
  let id = 0
  await page.route(/live\.js$/, async (route) => {
    id = await report('Reported while the script was loaded')
    await route.continue()
  })
  await page.reload()
  expect(id).toBeGreaterThan(0)
  await page.locator(`#incident-${id}`).waitFor()
  await page.context().close()
})

test('eight tabs of a browser load and show a change', async () => {
  const first = await openPage(site.service, '/')
  const tabs = [first]
  for (let n = 0; n < 7; n += 1) {
    const tab = await first.context().newPage()
    await tab.goto(`${site.service.url}/`)
    tabs.push(tab)
  }
  const id = await report('Seen in all tabs')
  for (const tab of tabs) await tab.locator(`#incident-${id}`).waitFor()
  await first.close()
  const next = await report('Seen after the tab with the stream was closed')
  for (const tab of tabs.slice(1)) await tab.locator(`#incident-${next}`).waitFor()
  await first.context().close()
})

test('the heading and the description of an item, and the title of the site, change without a reload', async () => {
  const page = await openPage(site.service, `/items/${item}`)
  await site.service.admin.patch(`/admin/hierarchy/items/${item}`, {
    name: 'Another name',
    description: 'A new description',
  })
  await page.getByRole('heading', { level: 1, name: 'Another name' }).waitFor()
  await page.getByText('A new description').waitFor()
  await site.service.admin.patch('/admin/settings', { site_title: 'Another title' })
  await page.locator('header').getByText('Another title').waitFor()
  await page.context().close()
})

/** An open page whose minutes pass as the test says. */
async function openWithClock(path: string) {
  const page = await openPage(site.service, path)
  await page.clock.install()
  await page.reload()
  return page
}

test('an open page says that its state cannot be read, until it can be read again', async () => {
  const page = await openWithClock('/')
  const line = page.locator('[data-stale]')
  expect(await line.isHidden()).toBe(true)
  let problem: 'old' | 'down' | undefined
  await page.route(`${site.service.url}/`, async (route) => {
    if (problem === undefined) return route.continue()
    if (problem === 'down') return route.abort()
    const response = await route.fetch({ headers: {} })
    const body = (await response.text()).replace('data-stale hidden', 'data-stale')
    return route.fulfill({ response, body, headers: { ...response.headers(), etag: '"old"', 'x-snapshot-at': 'x' } })
  })
  /** Lets time pass until the line is shown, or not: a read that runs at that moment is another one. */
  const untilLine = (isShown: boolean, pass: () => Promise<unknown>) =>
    until(
      async () => {
        await pass()
        return line.isVisible()
      },
      (isVisible) => isVisible === isShown,
    )
  const minute = () => page.clock.runFor(60_000)
  problem = 'old'
  await untilLine(true, minute)
  problem = undefined
  // An answer that may be outdated is followed by another one before the next minute.
  let seconds = 0
  await untilLine(false, async () => {
    seconds += 10
    await page.clock.runFor(10_000)
    await line.waitFor({ state: 'hidden', timeout: 1000 }).catch(() => {})
  })
  expect(seconds).toBeLessThan(60)
  for (const next of ['down', undefined, 'down'] as const) {
    problem = next
    await untilLine(problem !== undefined, minute)
  }
  problem = undefined
  await untilLine(false, async () => {
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    await page.clock.runFor(2000)
  })
  // As for a reader who comes while the database is away.
  problem = 'old'
  await page.reload()
  expect(await line.isVisible()).toBe(true)
  problem = undefined
  await untilLine(false, minute)
  await page.context().close()
})

test('a record that is far from the front page is current after a minute', async () => {
  const far = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const { body } = await site.service.admin.post('/admin/maintenances', {
    ...{ title: 'In a distant month', affected_items: [{ id: item }] },
    ...{ scheduled_start_time: far(200), scheduled_end_time: far(201) },
  })
  const page = await openWithClock(`/maintenances/${body.id}`)
  await site.service.admin.patch(`/admin/maintenances/${body.id}`, { title: 'Still in a distant month' })
  await until(
    async () => {
      await page.clock.runFor(60_000)
      return page.locator('h1').innerText()
    },
    (title) => title === 'Still in a distant month',
  )
  await page.context().close()
})

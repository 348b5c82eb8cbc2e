import { Writable } from 'node:stream'
import { expect, test } from '@jest/globals'
import { writeBackup } from '../../src/persistence/backup.ts'
import { headIn, restoreBackup } from '../../src/persistence/restore.ts'
import { freshDatabase } from '../support/database.ts'
import { openTestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'
import { elementsOf } from './parse-feeds.ts'

test('a restored page has the ids of its entries, and its feeds', async () => {
  const database = await freshDatabase()
  const service = await openTestService({ database })
  try {
    await service.admin.post('/admin/incidents', { title: 'Before' })
    await service.admin.post('/admin/incidents/1/updates', { message: 'Looking' })
    await service.admin.post('/admin/feeds', { name: 'Ours', format: 'atom' })
    const reader = service.as(undefined)
    const paths = ['/feed.atom', '/feeds/7.atom']
    const read = async (): Promise<string[]> =>
      Promise.all(paths.map(async (path) => (await reader.get(`/${path}`)).body as string))
    const before = await read()
    expect(before.map((document) => elementsOf(document, 'id').length)).toEqual([3, 3])
    const chunks: Buffer[] = []
    const out = new Writable({
      write(chunk, _encoding, done) {
        chunks.push(Buffer.from(chunk))
        done()
      },
    })
    await writeBackup(database.url, out)
    await service.admin.patch('/admin/incidents/1', { title: 'After' })
    const [first, ...rest] = Buffer.concat(chunks).toString().split('\n')
    await restoreBackup(database.url, {
      head: headIn(first),
      lines: (async function* () {
        yield* rest
      })(),
    })
    // A restore takes place while no service runs: this one notices when its snapshots end.
    service.services.pageChanged(service.page.id)
    expect(await until(read, (documents) => documents[0] === before[0])).toEqual(before)
  } finally {
    await service.close()
  }
})

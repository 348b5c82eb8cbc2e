import { expect, test } from '@jest/globals'
import { checkFor, checks } from '../../activities/checks/index.ts'
import { beatTypes, reportedTypes } from '../../src/domain/beats/types/index.ts'
import { soon } from './support/context.ts'
import { deadPort } from './support/servers.ts'

test('each type has a check, or its stage comes from calls or events', async () => {
  expect([...Object.keys(checks), ...reportedTypes].sort()).toEqual([...beatTypes].sort())
  const target = { host: '127.0.0.1', port: await deadPort() }
  expect(await checkFor('tcp')(target, soon())).toMatchObject({ ok: false })
})

import { expect, test } from '@jest/globals'
import { matchEvent } from '../../src/domain/evaluation/trigger-jobs.ts'

const list = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const nested = (levels: number): object => (levels === 0 ? { state: 'firing' } : { inside: nested(levels - 1) })
const inEnvelope = (message: string) => ({ Type: 'Notification', MessageId: 'm', TopicArn: 't', Message: message })

/** An event that fails in the evaluation would be evaluated again and again, and later events of the inbox never. */
test.each<[string, object, boolean]>([
  ['a body of the most levels', nested(63), true],
  ['a text with nested JSON', { state: 'firing', text: list(60) }, true],
  ['a text with a very deep list', { state: 'firing', text: list(100_000) }, true],
  ['a message of Amazon SNS of many levels', inEnvelope(JSON.stringify(nested(60))), true],
  ['a message of Amazon SNS with a very deep list', inEnvelope(list(100_000)), false],
])('%s is evaluated', (_title, body, matched) => {
  const program = {
    each_path: null,
    conditions: { path: '$..state', operator: 'exists' },
    stage_mapping: { state_path: '$..state', default_stage: 'critical' },
    output_mapping: { summary_path: '$..state' },
  }
  const event = { text: JSON.stringify(body), headers: {}, receivedAt: 0 }
  expect(matchEvent(event, [program], () => {}).matches).toMatchObject([[{ matched }]])
})

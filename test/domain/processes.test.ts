import { expect, test } from '@jest/globals'
import { parseWorkflowId, workflowIdOf } from '../../workflows/processes.ts'

test('a process has a text for Temporal and the database, which is parsed to the same process', () => {
  expect(workflowIdOf({ kind: 'beat-group', id: 7 })).toBe('beat-group:7')
  expect(parseWorkflowId('beat-group:7')).toEqual({ kind: 'beat-group', id: 7 })
})

test.each(['', 'incident', 'incident:', 'incident:x', 'incident:1:2', 'checks:mars:0', 'toString:1', 'unknown:1'])(
  'the text "%s" names no process',
  (text) => expect(parseWorkflowId(text)).toBeUndefined(),
)

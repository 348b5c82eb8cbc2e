import { expect } from '@jest/globals'
import { longestHold } from '../../bench/support/loop-hold.ts'
import { openEvaluator } from '../../src/domain/evaluation/evaluator.ts'
import { EvaluationThread } from '../../src/domain/evaluation/thread.ts'
import { hostileEvent } from '../support/hostile-triggers.ts'
import { evaluate, eventOf, makeEndpoint, makeEventBeat, makeTrigger, send, stageOf } from '../support/ingest.ts'
import { openTestService } from '../support/test-service.ts'

/** The hold is CPU time; the promise is 20 ms, and this leaves room for the collection of garbage and for cold code. */
const LONGEST_HOLD_MS = 100

/**
 * Hostile triggers between two ordinary triggers: each event has an outcome by each trigger, the ordinary triggers set the stages,
 * and neither the saving nor the acceptance nor the evaluation holds the event loop.
 */
export async function evaluateHostile(triggers: object[], limits: { cpuMs: number; elapsedMs: number }) {
  const service = await openTestService()
  await service.services.evaluator.close()
  service.services.evaluator = openEvaluator({ startThread: () => new EvaluationThread(limits) })
  const { id, token } = await makeEndpoint(service)
  const [first, last, other] = [
    await makeEventBeat(service),
    await makeEventBeat(service),
    await makeEventBeat(service),
  ]
  await makeTrigger(service, id, [first])
  const saved = await longestHold(() => save(triggers, id, other))
  await makeTrigger(service, id, [last])
  const stages = []
  const events: number[] = []
  let [sendMs, stepMs] = [0, 0]
  for (const state of ['firing', 'degraded', 'ok']) {
    const event = JSON.stringify(hostileEvent(state))
    const sent = await longestHold(() => send(service, token, event))
    expect(sent.result.status).toBe(202)
    events.push(sent.result.body.event_id)
    sendMs = Math.max(sendMs, sent.longestMs)
    for (let says = ''; says !== 'an event'; ) {
      const step = await longestHold(() => evaluate(service, id))
      says = step.result.says
      stepMs = Math.max(stepMs, step.longestMs)
    }
    stages.push([await stageOf(service, first), await stageOf(service, last)])
  }
  const outcomes = await Promise.all(events.map((event) => outcomesByTrigger(event)))
  await service.close()
  expect(stages).toEqual(['critical', 'warning', 'healthy'].map((stage) => [stage, stage]))
  for (const of of outcomes) {
    expect(of.size).toBe(saved.result + 2)
    const ordinary = [...of.values()].filter((_, index, { length }) => index === 0 || index === length - 1)
    expect(ordinary).toEqual([['transition'], ['transition']])
  }
  expect(Math.max(saved.longestMs, sendMs, stepMs)).toBeLessThan(LONGEST_HOLD_MS)
  const expensive = [...outcomes[0]!.values()].filter(([outcome]) => outcome === 'too_expensive').length
  return { saved: saved.result, expensive, holds: { save: saved.longestMs, send: sendMs, step: stepMs } }

  /** How many triggers are accepted; the others are refused with a reason. */
  async function save(fields: object[], source_id: number, beat: number): Promise<number> {
    let accepted = 0
    for (const one of fields) {
      const { status, body } = await service.admin.post('/admin/external-triggers', {
        ...{ name: 'Hostile', source_id, confirm_no_evidence: true, associations: [{ monitor_id: beat }] },
        ...{ stage_mapping: { default_stage: 'critical' }, ...one },
      })
      expect([status, body.code]).toEqual(status === 201 ? [201, undefined] : [400, 'invalid_request'])
      if (status === 201) accepted += 1
    }
    return accepted
  }

  async function outcomesByTrigger(event: number): Promise<Map<number, string[]>> {
    const { state, evaluations } = await eventOf(service, event)
    expect(state).toBe('evaluated')
    const found = new Map<number, string[]>()
    for (const { trigger_id, outcome } of evaluations) {
      found.set(trigger_id, [...new Set([...(found.get(trigger_id) ?? []), outcome])])
    }
    return found
  }
}

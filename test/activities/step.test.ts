import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createSteps } from '../../activities/steps.ts'
import { type Step, takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { creationNote, notesOf, openIncident, unread } from '../support/incidents.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const reported = new Date('2026-03-02T09:00:00.000Z')

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: reported })
})
afterAll(() => service?.close())

const call = (id: number) => ({ kind: 'incident' as const, pageId: service.page.id, id, now: reported })

/** A step that PostgreSQL interrupts as it does when transactions are in each other's way. */
function interrupted(times: number): { step: Step; attempts: () => number } {
  let attempts = 0
  const step: Step = async (ctx) => {
    attempts += 1
    const read = await steps.incident(ctx)
    if (attempts <= times)
      await ctx.tx.execute("do $$ begin raise exception 'in the way' using errcode = '40001'; end $$")
    return read
  }
  return { step, attempts: () => attempts }
}

test('a step says when to look again as a number, which survives the way to the workflow', async () => {
  const { id } = await openIncident(service, { reminder_interval_minutes: 60 })
  const { step } = createSteps(service.services)
  const due = new Date(reported.getTime() + 60 * 60_000)
  expect(await step({ kind: 'incident', page_id: service.page.id, id, now: reported.getTime() })).toEqual({
    done: false,
    says: `the reminder at ${due.toISOString()}`,
    until: due.getTime(),
  })
})

test('a step that others were in the way of is taken again from the start', async () => {
  const { id, workflowId } = await openIncident(service)
  const { step, attempts } = interrupted(2)
  expect(await takeStep(service.services, step, call(id))).toMatchObject({ done: false })
  expect(attempts()).toBe(3)
  expect(await unread(service, workflowId)).toBe(0)
  expect(await notesOf(service, workflowId)).toEqual([creationNote(id)])
})

test('a step that does not get through leaves its wake-ups unread, and everything as it was', async () => {
  const { id, workflowId } = await openIncident(service)
  const { step, attempts } = interrupted(100)
  await expect(takeStep(service.services, step, call(id))).rejects.toThrow('in the way')
  expect(attempts()).toBe(3)
  expect(await unread(service, workflowId)).toBe(1)
})

test('a step cannot look at the incident of another page', async () => {
  const { id } = await openIncident(service)
  const foreign = { ...call(id), pageId: service.otherPage.id }
  expect(await takeStep(service.services, steps.incident, foreign).catch(() => 'refused')).not.toMatchObject({
    done: false,
  })
})

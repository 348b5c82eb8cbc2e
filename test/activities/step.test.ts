import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createSteps } from '../../activities/steps.ts'
import { type Step, takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { type House, openHouse } from '../support/house.ts'
import { creationNote, notesOf, openIncident, unread } from '../support/incidents.ts'

const reported = new Date('2026-03-02T09:00:00.000Z')

let house: House
beforeAll(async () => {
  house = await openHouse({ frozenAt: reported })
})
afterAll(() => house?.close())

const call = (id: number) => ({ kind: 'incident' as const, pageId: house.page.id, id, now: reported })

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
  const { id } = await openIncident(house, { reminder_interval_minutes: 60 })
  const { step } = createSteps(house.services)
  const due = new Date(reported.getTime() + 60 * 60_000)
  expect(await step({ kind: 'incident', page_id: house.page.id, id, now: reported.getTime() })).toEqual({
    done: false,
    says: `the reminder at ${due.toISOString()}`,
    until: due.getTime(),
  })
})

test('a step that others were in the way of is taken again from the start', async () => {
  const { id, workflowId } = await openIncident(house)
  const { step, attempts } = interrupted(2)
  expect(await takeStep(house.services, step, call(id))).toMatchObject({ done: false })
  expect(attempts()).toBe(3)
  expect(await unread(house, workflowId)).toBe(0)
  expect(await notesOf(house, workflowId)).toEqual([creationNote(id)])
})

test('a step that does not get through leaves its wake-ups unread, and everything as it was', async () => {
  const { id, workflowId } = await openIncident(house)
  const { step, attempts } = interrupted(100)
  await expect(takeStep(house.services, step, call(id))).rejects.toThrow('in the way')
  expect(attempts()).toBe(3)
  expect(await unread(house, workflowId)).toBe(1)
})

test('a step cannot look at the incident of another page', async () => {
  const { id } = await openIncident(house)
  const foreign = { ...call(id), pageId: house.otherPage.id }
  expect(await takeStep(house.services, steps.incident, foreign).catch(() => 'refused')).not.toMatchObject({
    done: false,
  })
})

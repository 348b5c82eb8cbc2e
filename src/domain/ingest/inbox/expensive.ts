import { Banner } from '../../../persistence/entities/banner.ts'
import type { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import type { StepContext } from '../../kernel/step.ts'
import type { BeatsOfTrigger } from '../triggers/associations.ts'
import { triggerName } from '../triggers/subject.ts'
import type { Matched } from './match-batch.ts'

const MOST_IN_A_ROW = 10

/** Disables a trigger that was too expensive for ten events in a row, and shows operators a banner at its beats. */
export async function countExpensive(ctx: StepContext, matched: Matched[], beatsOf: BeatsOfTrigger): Promise<void> {
  const byTrigger = Map.groupBy(
    matched.flatMap(({ found }) => found),
    ({ trigger }) => trigger,
  )
  for (const [trigger, found] of byTrigger) {
    const count = found.reduce(
      (inRow, { match }) => (match === 'too_expensive' ? inRow + 1 : 0),
      trigger.expensive_count,
    )
    if (count !== trigger.expensive_count) trigger.expensive_count = count
    if (count >= MOST_IN_A_ROW) disable(ctx, trigger, beatsOf(trigger).all)
  }
  await ctx.tx.flush()
}

function disable(ctx: StepContext, trigger: EventTrigger, beatIds: number[]): void {
  const { tx, pageId, now } = ctx
  const because = `it used too much CPU time for ${MOST_IN_A_ROW} events in a row`
  const message = `The ${triggerName(trigger)} was disabled: ${because}`
  Object.assign(trigger, {
    enabled: false,
    disabled_because: because,
    expensive_count: 0,
    version: trigger.version + 1,
    updated_at: now,
  })
  ctx.note('trigger', message)
  for (const beatId of beatIds) {
    tx.create(Banner, {
      ...{ page_id: pageId, beat_id: beatId, beat_group_id: null, stage: 'warning', message, created_at: now },
      natural_key: `trigger:${trigger.id}:disabled:${trigger.version}:${beatId}`,
      ...{ dismissed_at: null, dismissed_by: null },
    })
  }
}

import { runBeat } from '../../beats/checks/operations.ts'
import { muteBeatGroup } from '../../beats/groups/mute.ts'
import { muteBeat, pauseBeat, resumeBeat } from '../../beats/operations/pause-resume.ts'
import { listBeats } from '../../beats/operations/read-beats.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Slots } from '../language/types.ts'
import type { DraftStep, Question, Reply, Response } from '../response-types.ts'
import { impossible } from './refusals.ts'
import { ask, askLater, askRecord, nameOf, planOf, recordsIn } from './requests.ts'
import { isRecord, lasting, slotOf, when } from './text.ts'

interface Change {
  title: string
  verb: string
  operation: AnyOperation
  /** Absent: the operation does not exist for groups. */
  ofGroup?: AnyOperation
  missing?: (slots: Slots, now: Date) => Question[]
  input?: (slots: Slots) => Record<string, unknown>
  effect: (name: string, slots: Slots, zone: string) => string
}

const changing =
  ({ title, verb, operation, ofGroup, missing, input, effect }: Change): Response =>
  async (ctx, slots): Promise<Reply> => {
    const { beat } = slots
    if (isRecord(beat) && beat.kind === 'beat_group' && !ofGroup) {
      return impossible(`${nameOf(beat)} is a group of beats: I can only ${verb} single beats.`)
    }
    const options = isRecord(beat)
      ? []
      : (await ctx.read(listBeats, { input: { limit: '20' } })).beats.map((one) => slotOf('beat', one))
    if (!beat && options.length === 0) return impossible(`This page has no beat to ${verb}.`)
    const questions = [
      ...(isRecord(beat) ? [] : [askRecord('beat', beat, options, verb)]),
      ...(missing?.(slots, ctx.now) ?? []),
    ]
    const steps = (): DraftStep[] =>
      isRecord(beat)
        ? [
            {
              operation: beat.kind === 'beat_group' ? ofGroup! : operation,
              input: { id: beat.id, ...input?.(slots) },
              effect: `${effect(nameOf(beat), slots, ctx.zone)}.`,
            },
          ]
        : []
    return planOf(title, { questions, steps, records: recordsIn(beat) })
  }

export const pauseOneBeat = changing({
  title: 'Pause a beat',
  verb: 'pause',
  operation: pauseBeat,
  effect: (name) => `Pauses the checks of the beat ${name}`,
})

export const resumeOneBeat = changing({
  title: 'Resume a beat',
  verb: 'resume',
  operation: resumeBeat,
  effect: (name) => `Resumes the checks of the beat ${name}`,
})

export const runOneBeat = changing({
  title: 'Run a beat',
  verb: 'run',
  operation: runBeat,
  effect: (name) => `Checks the beat ${name} once now`,
})

export const muteOneBeat = changing({
  title: 'Mute a beat',
  verb: 'mute',
  operation: muteBeat,
  ofGroup: muteBeatGroup,
  missing: ({ minutes, until }, now) =>
    minutes === undefined && until === undefined
      ? [ask('minutes', 'duration', 'How long shall the mute last?')]
      : askLater(until, now, 'mute'),
  input: ({ minutes, until }) => (until ? { muted_until: until } : { minutes }),
  effect: (name, { minutes, until }, zone) =>
    `Mutes ${name} ${until ? `until ${when(until, zone)}` : `for ${lasting(minutes ?? 0)}`}: no actions and no notifications`,
})

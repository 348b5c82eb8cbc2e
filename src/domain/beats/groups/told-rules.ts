import type { Told } from '../../../persistence/entities/beat-group.ts'
import { beatName } from '../definition/naming-rules.ts'
import { type Stage, severity, worstStage } from '../stage/stage-rules.ts'
import type { Suppression } from '../stage/suppression-rules.ts'

/** What a group tells, decided from its members and from what it has told. Pure: no clock, no database. */

export interface Member {
  id: number
  name: string
  /** null: it is not known, or nobody looks at it. */
  stage: Stage | null
  items: number[]
  /** Why nothing is said of it at present. */
  hold: Suppression | null
}

interface Heard {
  /** The worst of those that are heard, and of those that were told of and that nobody has seen well since. */
  stage: Stage | null
  /** Somebody who is heard is in that stage: without that, nothing is said anew. */
  witnessed: boolean
  /** Of whom it tells once it acts on that. */
  told: Told[]
  /** Those who are heard, but for those of whom somebody has ended what was told. */
  heard: number[]
}

/** A member that is held back makes it neither worse nor better: what was told of it stands. */
export function hear(members: Member[], told: Told[]): Heard {
  const now = members.flatMap((member) => toldOf(member, find(told, member)) ?? [])
  const next = [...now, ...told.filter(({ gone }) => gone)]
  const stands = next.filter(({ ended }) => !ended)
  const free = members.filter(
    ({ id, stage, hold }) => stage && !hold && !next.some((one) => one.beat_id === id && one.ended),
  )
  const well = free.filter(({ stage }) => stage === 'healthy').map(({ stage }) => stage)
  const stage = worstStage([...well, ...stands.map((one) => one.stage)])
  const heard = free.map(({ id }) => id)
  const ill = stands.filter((one) => one.stage === stage && heard.includes(one.beat_id))
  return { stage, witnessed: stage === 'healthy' || ill.length > 0, told: next, heard }
}

const find = (told: Told[], { id }: { id: number }) => told.find(({ beat_id }) => beat_id === id)

function toldOf({ id, name, stage, items, hold }: Member, before: Told | undefined): Told | undefined {
  if (hold || stage === null) return before
  if (stage === 'healthy') return undefined
  if (before?.ended && severity(stage) <= severity(before.stage)) return before
  return { beat_id: id, name, stage, items }
}

/** Those of whom it goes on telling although nobody hears them. */
export const unheard = (members: Member[], told: Told[]) =>
  told.filter((one) => !one.ended && !members.some(({ id, hold }) => id === one.beat_id && !hold))

/** Why it is not told that these are well, or less ill: each in words. */
export function standing(members: Member[], { beat_id, name, stage, gone }: Told): string {
  const who = `the ${beatName({ id: beat_id, name })}`
  const because = members.find(({ id }) => id === beat_id)?.hold?.because ?? 'it is elsewhere'
  if (!gone && because !== 'disabled') return `${who} is held back: ${because}`
  return `${who} was ${gone ? 'deleted' : 'switched off'} while it was ${stage}: nobody knows whether it works again`
}

const standingOf = (members: Member[], told: Told[]): string =>
  unheard(members, told)
    .map((one) => standing(members, one))
    .join('; ') || 'nobody who is heard shows it'

interface Situation {
  members: Member[]
  heard: Heard
  /** The stage that its actions reflect. */
  acted: string | null
  /** What became of what it told of those who have left it. */
  parted: string[]
}

interface Change {
  to_stage: string
  facts: { beat_id?: number }
}

/** Why a change of the stage that its members are in is not told; null if it is. */
export const silenceOf =
  ({ members, heard: { stage, witnessed, told }, acted, parted }: Situation) =>
  ({ to_stage, facts }: Change): string | null => {
    if (to_stage === acted && acted !== 'healthy') return 'what it tells of is that already'
    if (to_stage === acted && parted.length > 0) return parted.join('; ')
    if (to_stage === stage && witnessed) return null
    const worse = severity(to_stage as Stage) > severity(stage)
    if (!worse)
      return standingOf(
        members,
        told.filter((one) => one.stage === stage),
      )
    const maker = members.find(({ id }) => id === facts.beat_id)
    if (!maker?.hold)
      return `a person has ended the incident of the ${maker ? beatName(maker) : `beat ${facts.beat_id}`}`
    return `the ${beatName(maker)}, which is ${to_stage}, is held back: ${maker.hold.because}`
  }

/** Whether an incident of a member is better told by the group: only if that tells of the stage, and of its end. */
export const takesOver = (policies: Policies, stage: IllStage): boolean =>
  postsOf(policies, stage) && postsOf(policies, 'recovery')

export const postsOf = (policies: Policies, when: IllStage | 'recovery'): boolean =>
  policies[when]?.public_post === true

type IllStage = Told['stage']
type Policies = Partial<Record<IllStage | 'recovery', { public_post?: boolean }>>

/** Its incident was ended, or deleted, by somebody: that stands for all of whom it told, and those who are gone are forgotten. */
export const endedByHand = (told: Told[]): Told[] =>
  told.filter(({ gone }) => !gone).map((one) => ({ ...one, ended: true as const }))

export type Parting = 'takes the incident' | 'leaves the incident' | 'stays' | 'nothing'

/**
 * What becomes of what a group tells of a member that leaves it or, as `gone`, was deleted. An incident that tells of it
 * alone goes with it; of one that was deleted it stays, as nobody knows more.
 */
export function partingOf(id: number, told: Told[], gone: boolean, open: boolean): Parting {
  const one = find(told, { id })
  if (!one || one.ended) return 'nothing'
  if (!open || told.some(({ beat_id, ended }) => beat_id !== id && !ended)) return 'leaves the incident'
  return gone ? 'stays' : 'takes the incident'
}

import { LockMode } from '@mikro-orm/postgresql'
import { Banner } from '../../../persistence/entities/banner.ts'
import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import type { Subject } from '../../kernel/operation.ts'
import { recordSubject } from '../../kernel/subject.ts'
import { lockOwner } from '../definition/owner.ts'
import { presentAction, presentBanner } from './presenter.ts'

/** Locks the owner before its action, in the order of the owner's process. */
export const actionSubject: Subject<BeatAction> = {
  kind: 'beat_action',
  external: false,
  id: ({ id }) => id,
  snapshot: presentAction,
  async find({ tx }, ref, { lock }) {
    const action = await tx.findOne(BeatAction, { ...ref } as { id: number })
    if (!action || !lock) return action
    await lockOwner(tx, action)
    return tx.findOne(BeatAction, { id: action.id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
  },
}

export const bannerSubject = recordSubject('banner', Banner, presentBanner)

import { z } from 'zod'
import { endActing } from '../../../persistence/beats.ts'
import { operation } from '../../kernel/operation.ts'
import { message, versionToDelete } from '../../kernel/schema.ts'
import { forgetTranslations } from '../../translations/write.ts'
import { unmapComponents } from '../definition/components.ts'
import { groupName } from '../definition/naming-rules.ts'
import { leaveIncidentOpen } from '../incidents/orphaned-incident.ts'
import { releaseMembers } from './members.ts'
import { groupSubject } from './subject.ts'

export const deleteBeatGroup = operation({
  name: 'beat_groups.delete',
  area: 'beats',
  permission: 'write',
  summary: 'Delete a group of beats',
  description:
    'The members of the group stay, and act by their own policies from their next transition on. The banners of the group end, and its actions that wait for review are superseded. An open incident of the group stays open for a person to resolve.',
  subject: groupSubject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async (ctx, _input, group) => {
    const { tx, now } = ctx
    const { id } = group
    const reason = `the deletion of the ${groupName(group)}`
    await releaseMembers(ctx, group)
    await endActing(tx, ['beat_group', id], { now, because: reason })
    const open = await leaveIncidentOpen(ctx, group)
    await unmapComponents(ctx, ['beat_group', id])
    await forgetTranslations(ctx, ['beat_group', id])
    tx.remove(group)
    ctx.wake({ kind: 'beat-group', id }, reason)
    return { message: `The ${groupName(group)} was deleted.${open}` }
  },
})

import { putBeatGroup, setBeatGroupMembers, updateBeatGroup } from '../../domain/beats/groups/change.ts'
import { createBeatGroup } from '../../domain/beats/groups/create.ts'
import { muteBeatGroup } from '../../domain/beats/groups/mute.ts'
import { getBeatGroup, listBeatGroups } from '../../domain/beats/groups/read.ts'
import { deleteBeatGroup } from '../../domain/beats/groups/remove.ts'
import { routesOf } from './route.ts'

const { get, post, put, patch, del } = routesOf('admin', 'Beat groups')

export const beatGroupRoutes = [
  get('/beat-groups', listBeatGroups),
  post('/beat-groups', createBeatGroup, { status: 201 }),
  put('/beat-groups/external/{external_id}', putBeatGroup, { status: 201 }),
  get('/beat-groups/{id}', getBeatGroup),
  patch('/beat-groups/{id}', updateBeatGroup),
  del('/beat-groups/{id}', deleteBeatGroup),
  put('/beat-groups/{id}/members', setBeatGroupMembers),
  post('/beat-groups/{id}/mute', muteBeatGroup),
]

import { putBeat, updateBeat } from '../../domain/beats/operations/change-beat.ts'
import { createBeat } from '../../domain/beats/operations/create-beat.ts'
import { muteBeat, pauseBeat, resumeBeat } from '../../domain/beats/operations/pause-resume.ts'
import { getBeat, listBeats } from '../../domain/beats/operations/read-beats.ts'
import { deleteBeat } from '../../domain/beats/operations/remove-beat.ts'
import { routesOf } from './route.ts'

const { get, post, put, patch, del } = routesOf('admin', 'Beats')

export const beatRoutes = [
  get('/beats', listBeats),
  post('/beats', createBeat, { status: 201 }),
  put('/beats/external/{external_id}', putBeat, { status: 201 }),
  get('/beats/{id}', getBeat),
  patch('/beats/{id}', updateBeat),
  del('/beats/{id}', deleteBeat),
  post('/beats/{id}/pause', pauseBeat),
  post('/beats/{id}/resume', resumeBeat),
  post('/beats/{id}/mute', muteBeat),
]

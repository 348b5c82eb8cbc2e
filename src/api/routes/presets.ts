import {
  createPreset,
  deletePreset,
  getPreset,
  listPresets,
  previewPreset,
  updatePreset,
} from '../../domain/presets/operations.ts'
import { routesOf } from './route.ts'

const { get, post, patch, del } = routesOf('admin', 'Presets')

export const presetRoutes = [
  get('/presets', listPresets),
  post('/presets', createPreset, { status: 201 }),
  post('/presets/preview', previewPreset),
  get('/presets/{id}', getPreset),
  patch('/presets/{id}', updatePreset),
  del('/presets/{id}', deletePreset),
]

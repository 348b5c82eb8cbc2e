import { createCssPreview } from '../../domain/pages/css-preview.ts'
import {
  getChatSettings,
  getPublicSettings,
  getSettings,
  updateChatSettings,
  updateSettings,
} from '../../domain/pages/settings-operations.ts'
import { routesOf } from './route.ts'

const admin = routesOf('admin', 'Settings')
const open = routesOf('public', 'Public')

export const settingsRoutes = [
  admin.get('/settings', getSettings),
  admin.patch('/settings', updateSettings),
  admin.post('/settings/css-preview', createCssPreview),
  admin.get('/chat/settings', getChatSettings),
  admin.patch('/chat/settings', updateChatSettings),
  open.get('/settings', getPublicSettings),
]

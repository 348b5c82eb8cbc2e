import { proveViewAccess, requestViewAccess } from '../../domain/views/access.ts'
import {
  createBlockedAlias,
  deleteBlockedAlias,
  getBlockedAlias,
  listBlockedAliases,
  updateBlockedAlias,
} from '../../domain/views/alias-blocklist.ts'
import { getViewData } from '../../domain/views/data.ts'
import { createView, deleteView, getView, listViews, updateView } from '../../domain/views/operations.ts'
import { getPublicView, getViewOutside } from '../../domain/views/reads.ts'
import { routesOf } from './route.ts'

const { get, post, patch, del } = routesOf('admin', 'Views')

export const viewRoutes = [
  get('/views', listViews),
  post('/views', createView, { status: 201 }),
  get('/views/alias-blocklist', listBlockedAliases),
  post('/views/alias-blocklist', createBlockedAlias, { status: 201 }),
  get('/views/alias-blocklist/{id}', getBlockedAlias),
  patch('/views/alias-blocklist/{id}', updateBlockedAlias),
  del('/views/alias-blocklist/{id}', deleteBlockedAlias),
  get('/views/{id}', getView),
  patch('/views/{id}', updateView),
  del('/views/{id}', deleteView),
]

const open = routesOf('public', 'Views')

export const publicViewRoutes = [
  open.get('/views/{view_code}', getPublicView, { ofView: { outside: getViewOutside } }),
  open.get('/views/{view_code}/data', getViewData, { ofView: {} }),
  open.post('/views/{view_code}/access-requests', requestViewAccess, { status: 202, tier: 'subscribe' }),
  open.post('/views/{view_code}/access', proveViewAccess, { tier: 'magic_link', proves: true }),
]

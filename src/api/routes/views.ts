import {
  createBlockedAlias,
  deleteBlockedAlias,
  getBlockedAlias,
  listBlockedAliases,
  updateBlockedAlias,
} from '../../domain/views/alias-blocklist.ts'
import { createView, deleteView, getView, listViews, updateView } from '../../domain/views/operations.ts'
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

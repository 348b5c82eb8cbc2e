import {
  createAccessLink,
  deleteAccessLink,
  getAccessLink,
  listAccessLinks,
} from '../../domain/pages/access/link-operations.ts'
import { getContext, getPage, getPublicPage, listPages, updatePage } from '../../domain/pages/operations.ts'
import { deleteExample } from '../../domain/pages/remove-example.ts'
import { getPageSummary } from '../../domain/pages/summary/summary.ts'
import { routesOf } from './route.ts'

const admin = routesOf('admin', 'Page')
const api = routesOf('api', 'Page')
const open = routesOf('public', 'Public')

export const pageRoutes = [
  admin.get('/page', getPage),
  admin.patch('/page', updatePage),
  admin.get('/page/access-links', listAccessLinks),
  admin.post('/page/access-links', createAccessLink, { status: 201 }),
  admin.get('/page/access-links/{id}', getAccessLink),
  admin.del('/page/access-links/{id}', deleteAccessLink),
  admin.del('/example', deleteExample),
  api.get('/context', getContext),
  api.get('/org/pages', listPages),
  open.get('/pages/public/current-host', getPublicPage),
  open.get('/pages/public/{page_slug}/summary', getPageSummary),
]

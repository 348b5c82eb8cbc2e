import { createItem, getItem, listItems, listLevels } from '../../domain/hierarchy/operations.ts'
import { listComponents } from '../../domain/hierarchy/public.ts'
import { routesOf } from './route.ts'

const admin = routesOf('admin', 'Hierarchy')
const open = routesOf('public', 'Public')

export const hierarchyRoutes = [
  admin.get('/hierarchy/levels', listLevels),
  admin.get('/hierarchy/items', listItems),
  admin.post('/hierarchy/items', createItem, { status: 201 }),
  admin.get('/hierarchy/items/{id}', getItem),
  open.get('/pages/public/{page_slug}/components', listComponents),
]

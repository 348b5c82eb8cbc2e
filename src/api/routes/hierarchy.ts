import { correctStatusEvent, deleteStatusEvent } from '../../domain/hierarchy/corrections.ts'
import { createItem, getItem, putItem, updateItem } from '../../domain/hierarchy/items.ts'
import { createLevel, deleteLevel, getLevel, listLevels, updateLevel } from '../../domain/hierarchy/levels.ts'
import { listItems } from '../../domain/hierarchy/list.ts'
import { moveItem, validateHierarchy } from '../../domain/hierarchy/move.ts'
import { overrideStatus, takeBackOverride } from '../../domain/hierarchy/override.ts'
import { listComponents } from '../../domain/hierarchy/public.ts'
import { deleteItem } from '../../domain/hierarchy/remove.ts'
import { listStatusEvents } from '../../domain/hierarchy/status-events.ts'
import { getUptime } from '../../domain/uptime/item-uptime.ts'
import { getPageHistory } from '../../domain/uptime/page-history.ts'
import { routesOf } from './route.ts'

const { get, post, put, patch, del } = routesOf('admin', 'Hierarchy')
const open = routesOf('public', 'Public')

export const hierarchyRoutes = [
  get('/hierarchy/levels', listLevels),
  post('/hierarchy/levels', createLevel, { status: 201 }),
  get('/hierarchy/levels/{id}', getLevel),
  patch('/hierarchy/levels/{id}', updateLevel),
  del('/hierarchy/levels/{id}', deleteLevel),
  get('/hierarchy/items', listItems),
  post('/hierarchy/items', createItem, { status: 201 }),
  put('/hierarchy/items/external/{external_id}', putItem, { status: 201 }),
  get('/hierarchy/items/{id}', getItem),
  patch('/hierarchy/items/{id}', updateItem),
  del('/hierarchy/items/{id}', deleteItem),
  post('/hierarchy/items/{id}/move', moveItem),
  put('/hierarchy/items/{id}/status', overrideStatus),
  del('/hierarchy/items/{id}/status', takeBackOverride),
  get('/hierarchy/items/{id}/status-events', listStatusEvents),
  get('/hierarchy/items/{id}/uptime', getUptime),
  post('/hierarchy/validate', validateHierarchy),
  post('/status-events/{id}/time', correctStatusEvent),
  del('/status-events/{id}', deleteStatusEvent),
  open.get('/pages/public/{page_slug}/components', listComponents),
  open.get('/pages/public/{page_slug}/history', getPageHistory),
]

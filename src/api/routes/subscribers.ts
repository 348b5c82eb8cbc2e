import {
  createSubscriber,
  deleteSubscriber,
  getPreferences,
  getSubscriber,
  listSubscribers,
  putPreferences,
  updateSubscriber,
} from '../../domain/subscribers/operations.ts'
import {
  enableSubscriber,
  recordBounce,
  restoreSubscriber,
  rotateSubscriberSecret,
  suppressSubscriber,
} from '../../domain/subscribers/states.ts'
import { testSubscriber } from '../../domain/subscribers/test-message.ts'
import { routesOf } from './route.ts'

const { get, post, put, patch, del } = routesOf('admin', 'Subscribers')

export const subscriberRoutes = [
  get('/subscribers', listSubscribers),
  post('/subscribers', createSubscriber, { status: 201 }),
  post('/subscribers/bounces', recordBounce),
  get('/subscribers/{id}', getSubscriber),
  patch('/subscribers/{id}', updateSubscriber),
  del('/subscribers/{id}', deleteSubscriber),
  get('/subscribers/{id}/preferences', getPreferences),
  put('/subscribers/{id}/preferences', putPreferences),
  post('/subscribers/{id}/suppress', suppressSubscriber),
  post('/subscribers/{id}/restore', restoreSubscriber),
  post('/subscribers/{id}/enable', enableSubscriber),
  post('/subscribers/{id}/rotate-secret', rotateSubscriberSecret),
  post('/subscribers/{id}/test', testSubscriber),
]

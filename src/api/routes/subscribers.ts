import { exportSubscribers } from '../../domain/subscribers/csv/export.ts'
import { importSubscribers } from '../../domain/subscribers/csv/import.ts'
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
  confirmSubscription,
  getConfirmation,
  getUnsubscription,
  unsubscribe,
} from '../../domain/subscribers/public/link-operations.ts'
import { requestManageLink, subscribe } from '../../domain/subscribers/public/operations.ts'
import { getOwnPreferences, putOwnPreferences } from '../../domain/subscribers/public/preference-operations.ts'
import {
  enableSubscriber,
  recordBounce,
  restoreSubscriber,
  rotateSubscriberSecret,
  suppressSubscriber,
} from '../../domain/subscribers/states.ts'
import { testSubscriber } from '../../domain/subscribers/test-message.ts'
import { confirmPages, managePages, unsubscribePages } from '../../page/subscriptions/pages.ts'
import { routesOf } from './route.ts'

const { get, post, put, patch, del } = routesOf('admin', 'Subscribers')

export const subscriberRoutes = [
  get('/subscribers', listSubscribers),
  post('/subscribers', createSubscriber, { status: 201 }),
  post('/subscribers/bounces', recordBounce),
  post('/subscribers/import', importSubscribers, { accepts: 'text/csv' }),
  get('/subscribers/export', exportSubscribers, { answers: 'text/csv' }),
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

const open = routesOf('public', 'Subscriptions')
const linked = routesOf('link', 'Subscriptions')

export const subscriptionRoutes = [
  open.post('/subscriptions', subscribe, { status: 202, tier: 'subscribe' }),
  open.post('/subscriptions/manage-link', requestManageLink, { status: 202, tier: 'magic_link' }),
  linked.get('/subscriptions/confirm', getConfirmation, { people: confirmPages.asking }),
  linked.post('/subscriptions/confirm', confirmSubscription, { people: confirmPages.done }),
  linked.get('/subscriptions/manage', getOwnPreferences, { people: managePages.asking }),
  linked.post('/subscriptions/manage', putOwnPreferences, { people: managePages.done }),
  linked.get('/subscriptions/unsubscribe', getUnsubscription, { people: unsubscribePages.asking }),
  linked.post('/subscriptions/unsubscribe', unsubscribe, { people: unsubscribePages.done }),
]

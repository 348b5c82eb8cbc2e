import { getNotification, listNotifications } from '../../domain/notifications/operations.ts'
import { routesOf } from './route.ts'

const { get } = routesOf('admin', 'Notifications')

export const notificationRoutes = [
  get('/notifications', listNotifications),
  get('/notifications/{id}', getNotification),
]

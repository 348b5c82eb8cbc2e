import {
  getDelivery,
  listDeliveries,
  listNotificationDeliveries,
  retryDelivery,
} from '../../domain/deliveries/operations.ts'
import { previewNotification, previewOfIncident, previewOfMaintenance } from '../../domain/deliveries/preview.ts'
import { incidentNotifications, maintenanceNotifications } from '../../domain/deliveries/record-notifications.ts'
import { getNotification, listNotifications, readNotification } from '../../domain/notifications/operations.ts'
import { routesOf } from './route.ts'

const { get, post } = routesOf('admin', 'Notifications')

export const notificationRoutes = [
  get('/notifications', listNotifications),
  get('/notifications/{id}', getNotification),
  post('/notifications/{id}/read', readNotification),
  get('/notifications/{id}/deliveries', listNotificationDeliveries),
  get('/notification-preview', previewNotification),
  get('/deliveries', listDeliveries),
  get('/deliveries/{id}', getDelivery),
  post('/deliveries/{id}/retry', retryDelivery),
  get('/incidents/{id}/notifications', incidentNotifications),
  get('/incidents/{id}/notification-preview', previewOfIncident),
  get('/maintenances/{id}/notifications', maintenanceNotifications),
  get('/maintenances/{id}/notification-preview', previewOfMaintenance),
]

import { dismissBanner, listBanners } from '../../domain/beats/actions/banner-operations.ts'
import { getAction, listActions } from '../../domain/beats/actions/operations.ts'
import { approveAction, rejectAction } from '../../domain/beats/actions/review.ts'
import { routesOf } from './route.ts'

const { get, post } = routesOf('admin', 'Beats')

export const beatActionRoutes = [
  get('/beat-actions', listActions),
  get('/beat-actions/{id}', getAction),
  post('/beat-actions/{id}/approve', approveAction),
  post('/beat-actions/{id}/reject', rejectAction),
  get('/banners', listBanners),
  post('/banners/{id}/dismiss', dismissBanner),
]

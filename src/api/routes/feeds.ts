import { createFeed, deleteFeed, getFeed, listFeeds, updateFeed } from '../../domain/feeds/operations.ts'
import { routesOf } from './route.ts'

const { get, post, patch, del } = routesOf('admin', 'Feeds')

export const feedRoutes = [
  get('/feeds', listFeeds),
  post('/feeds', createFeed, { status: 201 }),
  get('/feeds/{id}', getFeed),
  patch('/feeds/{id}', updateFeed),
  del('/feeds/{id}', deleteFeed),
]

export { incident } from './incident.ts'
export { item } from './item.ts'

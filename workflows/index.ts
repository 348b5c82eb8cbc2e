export { incident } from './incident.ts'
export { item } from './item.ts'
export { maintenance } from './maintenance.ts'
export { maintenanceSeries } from './maintenance-series.ts'

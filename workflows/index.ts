export { incident } from './incident.ts'

const permissions = ['read', 'write', 'admin'] as const
const roles = ['page_viewer', 'page_manager', 'page_admin'] as const

/** As the contract has them, independent of the code. */
export const plainAreas = [
  'incidents',
  'maintenance',
  'hierarchy',
  'vocabulary',
  'beats',
  'reviews',
  'triggers',
  'agent',
]
export const readableAreas = ['settings', 'audit', 'audience']
export const adminAreas = ['tokens', 'roles', 'endpoints', ...readableAreas]
export const rank = { read: 1, write: 2, admin: 3 }

/** The areas of each test file. */
export const areasOfFiles = {
  incidents: ['incidents'],
  maintenances: ['maintenance'],
  beats: ['beats', 'reviews'],
  events: ['triggers', 'endpoints'],
  agent: ['agent', 'audience'],
  page: ['hierarchy', 'vocabulary', ...adminAreas.filter((area) => !['endpoints', 'audience'].includes(area))],
}

export const credentials = permissions.flatMap((permission) => roles.map((roleKey) => ({ permission, roleKey })))
export type Credential = (typeof credentials)[number]
export const strongest = { permission: 'admin', roleKey: 'page_admin' } as const

/** The rank of the permission that a token has in an area. */
export function reach({ permission, roleKey }: Credential, area: string): number {
  const ofOthers = plainAreas.includes(area) ? [1, 2] : readableAreas.includes(area) ? [1, 1] : [0, 0]
  const ofRole = { page_viewer: ofOthers[0]!, page_manager: ofOthers[1]!, page_admin: 3 }[roleKey]
  return Math.min(rank[permission], ofRole)
}

export const levels = ['read', 'write', 'admin'] as const
export type Level = (typeof levels)[number]

interface Reach {
  page_viewer?: Level
  page_manager?: Level
}

const daily: Reach = { page_viewer: 'read', page_manager: 'write' }
const readable: Reach = { page_viewer: 'read', page_manager: 'read' }
const forAdmins: Reach = {}

/**
 * The levels of the roles in each area. A page admin has every level. In an area that viewers read, an operation that shows
 * secrets or addresses of people requires `admin`.
 */
const areas = {
  incidents: daily,
  maintenance: daily,
  hierarchy: daily,
  vocabulary: daily,
  beats: daily,
  reviews: daily,
  triggers: daily,
  agent: daily,
  settings: readable,
  audit: readable,
  audience: readable,
  tokens: forAdmins,
  endpoints: forAdmins,
  roles: forAdmins,
} satisfies Record<string, Reach>

export type Area = keyof typeof areas

const builtInRoles = ['page_viewer', 'page_manager', 'page_admin'] as const
type BuiltInRole = (typeof builtInRoles)[number]

export const roleKeys: readonly BuiltInRole[] = builtInRoles

const reachOf = (role: BuiltInRole, area: Area): Level | undefined =>
  role === 'page_admin' ? 'admin' : (areas[area] as Reach)[role]

/** The level of a role in each area, without the areas where the role has none. */
export function grantsOf(role: BuiltInRole): Partial<Record<Area, Level>> {
  const grants = (Object.keys(areas) as Area[]).map((area) => [area, reachOf(role, area)] as const)
  return Object.fromEntries(grants.filter(([, level]) => level !== undefined))
}

export interface Credentials {
  permission: Level
  role_key: string
}

/** The levels of a token in each area: the lower of those of its permission and of its role. */
export type TokenReach = Partial<Record<Area, Level>>

export function reachOfToken(credentials: Credentials): TokenReach {
  const reached = (area: Area) => levels.findLast((level) => mayDo(credentials, area, level))
  const all = (Object.keys(areas) as Area[]).map((area) => [area, reached(area)] as const)
  return Object.fromEntries(all.filter(([, level]) => level !== undefined))
}

/** Whether the credentials have at least every level of the reach. */
export function reachesAsFar(credentials: Credentials, reach: TokenReach): boolean {
  return (Object.entries(reach) as [Area, Level][]).every(([area, level]) => mayDo(credentials, area, level))
}

/** A token has the lower of the levels of its permission and of its role. */
export function mayDo({ permission, role_key }: Credentials, area: Area, needed: Level | 'link'): boolean {
  const role = builtInRoles.find((key) => key === role_key)
  const reach = role && reachOf(role, area)
  if (!reach || needed === 'link') return false
  return Math.min(levels.indexOf(permission), levels.indexOf(reach)) >= levels.indexOf(needed)
}

export const levels = ['read', 'write', 'admin'] as const
export type Level = (typeof levels)[number]

const plainAreas = ['incidents', 'maintenance', 'hierarchy', 'vocabulary', 'beats', 'triggers', 'reviews'] as const
const adminAreas = ['settings', 'tokens', 'endpoints', 'roles', 'domains', 'audience', 'iac', 'audit'] as const
export type Area = (typeof plainAreas)[number] | (typeof adminAreas)[number]

const isPlain = (area: Area) => (plainAreas as readonly string[]).includes(area)

/** What each built-in role may do in an area. Operations in the admin areas that show secrets or people ask for `admin`. */
const builtInRoles: Record<string, (area: Area) => Level> = {
  page_viewer: () => 'read',
  page_manager: (area) => (isPlain(area) ? 'write' : 'read'),
  page_admin: () => 'admin',
}

export const roleKeys = Object.keys(builtInRoles)

const areas: readonly Area[] = [...plainAreas, ...adminAreas]

/** What a role may do, area by area. */
export function grantsOf(roleKey: string): Record<Area, Level> {
  const role = builtInRoles[roleKey] ?? builtInRoles.page_viewer!
  return Object.fromEntries(areas.map((area) => [area, role(area)])) as Record<Area, Level>
}

export interface Credentials {
  permission: Level
  role_key: string
}

/** A token reaches as far as both its permission and its role do. */
export function mayDo(credentials: Credentials, area: Area, needed: Level): boolean {
  if (!Object.hasOwn(builtInRoles, credentials.role_key)) return false
  const role = builtInRoles[credentials.role_key]!
  const reach = Math.min(levels.indexOf(credentials.permission), levels.indexOf(role(area)))
  return reach >= levels.indexOf(needed)
}

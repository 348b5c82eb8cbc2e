import { z } from 'zod'
import { operation } from '../kernel/operation.ts'
import { grantsOf, levels, roleKeys } from '../kernel/permissions.ts'

const names: Record<string, [name: string, description: string]> = {
  page_viewer: ['Page viewer', 'Reads everything but secrets and people.'],
  page_manager: ['Page manager', 'Runs the page: incidents, maintenance, hierarchy, vocabulary, beats.'],
  page_admin: ['Page admin', 'May do everything on the page.'],
}

const RoleResource = z
  .strictObject({
    role_key: z.string(),
    name: z.string(),
    description: z.string(),
    built_in: z.boolean(),
    grants: z.record(z.string(), z.enum(levels)).describe('By area; a token reaches no further than its permission'),
  })
  .meta({ id: 'Role' })

export const listRoles = operation({
  name: 'roles.list',
  area: 'roles',
  permission: 'read',
  summary: 'List the roles that a token can have, and what each may do',
  input: z.strictObject({}),
  output: z.strictObject({ roles: z.array(RoleResource), total: z.int() }),
  run: async () => {
    const roles = roleKeys.map((role_key) => {
      const [name, description] = names[role_key] ?? [role_key, '']
      return { role_key, name, description, built_in: true, grants: grantsOf(role_key) }
    })
    return { roles, total: roles.length }
  },
})

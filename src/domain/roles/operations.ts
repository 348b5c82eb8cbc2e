import { z } from 'zod'
import { operation } from '../kernel/operation.ts'
import { listOf, pagingFields, partOf } from '../kernel/paging.ts'
import { grantsOf, levels, roleKeys } from '../kernel/permissions.ts'

const names: Record<(typeof roleKeys)[number], [name: string, description: string]> = {
  page_viewer: ['Page viewer', 'Reads everything except secrets, people, tokens and audit events.'],
  page_manager: ['Page manager', 'Changes incidents, maintenances, hierarchy, vocabulary, beats and reviews.'],
  page_admin: ['Page admin', 'May do everything on the page.'],
}

const RoleResource = z
  .strictObject({
    role_key: z.string(),
    name: z.string(),
    description: z.string(),
    built_in: z.boolean(),
    grants: z
      .record(z.string(), z.enum(levels))
      .describe(
        'The permission in each area; an area that is not listed is not accessible. The permission of the token limits all areas. In the area audit, `read` covers workflows and notifications; audit events need `admin`',
      ),
  })
  .meta({ id: 'Role' })

export const listRoles = operation({
  name: 'roles.list',
  area: 'roles',
  permission: 'admin',
  changes: false,
  summary: 'List the roles that a token can have, and what each may do',
  input: z.strictObject({ ...pagingFields }),
  output: listOf('roles', RoleResource),
  run: async (_ctx, asked) => {
    const { rows, ...found } = partOf([...roleKeys], asked, (key) => key)
    const roles = rows.map((role_key) => {
      const [name, description] = names[role_key]
      return { role_key, name, description, built_in: true, grants: grantsOf(role_key) }
    })
    return { roles, ...found }
  },
})

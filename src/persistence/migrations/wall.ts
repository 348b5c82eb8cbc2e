import type { Migration } from '@mikro-orm/migrations'
import { APP_ROLE, pagePolicies, SYSTEM_ROLE } from '../entities/columns.ts'

export function build(migration: Migration, statements: string[]): void {
  for (const statement of statements) migration.addSql(statement)
}

/** Roles belong to the whole server, where another database of the service may have created them already. */
export function roles(): string[] {
  return [APP_ROLE, SYSTEM_ROLE].flatMap((role) => [
    `do $$ begin create role ${role} nologin; exception when duplicate_object or unique_violation then null; end $$`,
    // A user that may not grant the roles has them from an administrator; otherwise the first connection names the problem.
    `do $$ begin grant ${role} to current_user; exception when insufficient_privilege then null; end $$`,
  ])
}

export function grants(): string[] {
  const both = `${APP_ROLE}, ${SYSTEM_ROLE}`
  return [
    `grant usage on schema public to ${both}`,
    `grant select, insert, update, delete on all tables in schema public to ${both}`,
    `grant usage, select on all sequences in schema public to ${both}`,
    `revoke all on table migration from ${both}`,
    `alter default privileges in schema public grant select, insert, update, delete on tables to ${both}`,
    `alter default privileges in schema public grant usage, select on sequences to ${both}`,
  ]
}

/** The policies of a table, as in `entities/columns.ts`; with `null` the app role has no access. */
export function walls(table: string, condition?: string | null): string[] {
  const policies = pagePolicies(condition ?? undefined).filter(
    (policy) => condition !== null || !policy.roles.includes(APP_ROLE),
  )
  return [
    `alter table ${table} enable row level security`,
    ...policies.map(
      ({ name, roles: to, using, check }) =>
        `create policy ${name} on ${table} to ${to.join(', ')} using (${using}) with check (${check})`,
    ),
  ]
}

/** A foreign key whose both sides belong to the same page. */
export function within(table: string, column: string, target: string): string {
  return `alter table ${table} add foreign key (page_id, ${column}) references ${target} (page_id, id)`
}

import type { ConditionTree, OutputMapping } from '../../../persistence/entities/trigger-parts.ts'
import { type ProgramField, requireCompiled } from '../../evaluation/compile-programs.ts'
import { jsonPathOf } from '../../evaluation/path-roots.ts'
import type { PageRef } from '../../kernel/context.ts'
import type { Services } from '../../kernel/services.ts'

/** The paths and patterns of a trigger. */

interface Parts {
  each_path?: string | null | undefined
  conditions?: ConditionTree | null | undefined
  stage_mapping?: { state_path?: string | undefined } | undefined
  output_mapping?: OutputMapping | undefined
}

/** Each path of a trigger, with the field that has it. */
export function pathsOf(parts: Parts): { field: string; path: string }[] {
  const { each_path, conditions, stage_mapping, output_mapping } = parts
  const found: { field: string; path: string }[] = []
  const add = (field: string, path: string | null | undefined) => {
    if (path !== null && path !== undefined) found.push({ field, path })
  }
  add('each_path', each_path)
  for (const { at, leaf } of leavesOf(conditions)) add(`${at}.path`, leaf.path)
  add('stage_mapping.state_path', stage_mapping?.state_path)
  for (const [name, path] of Object.entries(output_mapping ?? {})) add(`output_mapping.${name}`, path)
  return found
}

function leavesOf(
  tree: ConditionTree | null | undefined,
  at = 'conditions',
): { at: string; leaf: { path: string; operator: string; value?: unknown } }[] {
  if (!tree) return []
  if ('all' in tree) return tree.all.flatMap((part, index) => leavesOf(part, `${at}.all.${index}`))
  if ('any' in tree) return tree.any.flatMap((part, index) => leavesOf(part, `${at}.any.${index}`))
  return [{ at, leaf: tree }]
}

export const conditionPathsOf = ({ conditions }: Parts): string[] => leavesOf(conditions).map(({ leaf }) => leaf.path)

/** Refuses a trigger whose patterns or paths cannot be compiled. */
export function compileTrigger(
  services: Pick<Services, 'evaluator'>,
  { id }: Pick<PageRef, 'id'>,
  parts: Parts,
): Promise<void> {
  const paths = pathsOf(parts).flatMap(({ field, path }): ProgramField[] => {
    const text = jsonPathOf(path)
    return text === null ? [] : [{ path: field, program: { kind: 'path', text } }]
  })
  const patterns = leavesOf(parts.conditions).flatMap(({ at, leaf }): ProgramField[] =>
    leaf.operator === 'regex' ? [{ path: `${at}.value`, program: { kind: 'pattern', text: String(leaf.value) } }] : [],
  )
  return requireCompiled(services, id, [...paths, ...patterns])
}

import type { Settings } from './schema.ts'

/** Why settings of the page contradict each other. */
export function appearanceProblems(settings: Settings): { path: string; message: string }[] {
  const { show_component_by_default, default_component_item_id } = settings
  const problems: { path: string; message: string }[] = []
  const refuse = (path: keyof Settings, message: string) => problems.push({ path, message })
  if (!settings.enable_basic_view_on_homepage && !settings.enable_tree_view_on_homepage)
    refuse('enable_tree_view_on_homepage', 'must be true while enable_basic_view_on_homepage is false')
  if (show_component_by_default && default_component_item_id === null)
    refuse('default_component_item_id', 'must name an item while show_component_by_default is true')
  for (const part of ['body', 'heading'] as const) {
    if (settings[`${part}_font_preset`] === 'custom' && settings[`${part}_font_url`] === '')
      refuse(`${part}_font_url`, `must be an address while ${part}_font_preset is "custom"`)
  }
  if (settings.page_background_mode === 'image' && settings.page_background_url === '')
    refuse('page_background_url', 'must be an address while page_background_mode is "image"')
  return problems
}

import { z } from 'zod'
import { id } from '../../kernel/schema.ts'
import { choice, flag, whole } from '../fields.ts'
import { SECTIONS, type Section } from '../section-rules.ts'

const sections = <S extends Section>(keys: readonly S[]) =>
  z
    .array(z.enum(keys))
    .max(keys.length)
    .refine((list) => new Set(list).size === list.length, 'must not name a section twice')
    .default([])
const withoutStatus = SECTIONS.filter((section) => section !== 'status')

export const homepage = {
  working: {
    default_component_item_id: id()
      .nullable()
      .default(null)
      .describe('The item that `show_component_by_default` opens the page at'),
    homepage_history_bars_days: whole(1, 365, 90).describe('How many days the bars of uptime cover'),
    homepage_upcoming_maintenance_days: whole(0, 365, 30).describe(
      'For how many days ahead the page and the summary show scheduled maintenances, of each series only the next window; 0 for none',
    ),
    enable_basic_view_on_homepage: flag(true).describe('Whether readers can see all items as one list'),
    enable_tree_view_on_homepage: flag(true).describe('Whether readers can see the items as a tree'),
    show_component_by_default: flag(false).describe(
      'Whether the page shows `default_component_item_id` and what is below it, with a link to all items',
    ),
    show_history_bars_on_homepage: flag(true).describe('Whether items have bars of their uptime by day'),
    show_incident_affected_summary: flag(true).describe('Whether incidents name the affected items'),
    show_incident_impact_in_collapsed: flag(true).describe('Whether folded incidents show their impact'),
    show_incident_last_updated_at: flag(true).describe('Whether incidents show the time of the last update'),
    show_incident_started_at: flag(true).describe('Whether incidents show the time of their start'),
    show_incident_view_details_link: flag(true).describe('Whether incidents link to their own page'),
    homepage_current_activity_row_display: choice(['detailed', 'compact']).describe(
      'How the view `list` shows incidents and maintenances: as cards with their affected items, or each as one line',
    ),
    homepage_current_activity_view_mode: choice(['cards', 'list']).describe(
      '`cards` shows open incidents and maintenances in progress with their timelines, `list` folds the timelines',
    ),
    homepage_default_incident_group_by: choice(['month', 'day', 'item']).describe('How past incidents are grouped'),
    homepage_hierarchy_view_mode: choice(['tree', 'basic']).describe('The view of the items that readers see first'),
    homepage_default_collapsed_sections: sections(withoutStatus).describe('Sections that are folded at first'),
    homepage_hidden_sections: sections(withoutStatus).describe('Sections that the page leaves out; never `status`'),
    homepage_section_order: sections(SECTIONS).describe(
      'The first sections in order; others follow in their default order',
    ),
  },
  later: {},
}

import { z } from 'zod'
import { id, text } from '../../kernel/schema.ts'
import { flag, mode, whole } from '../fields.ts'

const sections = () => z.array(text(50)).max(20).default([])

export const homepage = {
  working: {
    homepage_upcoming_maintenance_days: whole(0, 365, 30).describe(
      'For how many days ahead the page shows scheduled maintenances; 0 for none',
    ),
  },
  later: {
    default_component_item_id: id().nullable().default(null),
    homepage_history_bars_days: whole(1, 365, 90),
    enable_basic_view_on_homepage: flag(true),
    enable_tree_view_on_homepage: flag(true),
    show_component_by_default: flag(false),
    show_history_bars_on_homepage: flag(true),
    show_incident_affected_summary: flag(true),
    show_incident_impact_in_collapsed: flag(true),
    show_incident_last_updated_at: flag(true),
    show_incident_started_at: flag(true),
    show_incident_view_details_link: flag(true),
    homepage_current_activity_row_display: mode(),
    homepage_current_activity_view_mode: mode(),
    homepage_default_incident_group_by: mode(),
    homepage_hierarchy_view_mode: mode(),
    homepage_default_collapsed_sections: sections(),
    homepage_hidden_sections: sections(),
    homepage_section_order: sections(),
  },
}

import { z } from 'zod'
import { id } from '../../kernel/schema.ts'
import { color, flag, mode, whole, words } from '../fields.ts'

export const embeds = {
  working: {},
  later: {
    embed_badge_enabled: flag(false),
    embed_launcher_draggable: flag(false),
    embed_launcher_enabled: flag(false),
    embed_launcher_show_incidents: flag(true),
    embed_launcher_show_informational: flag(true),
    embed_launcher_show_maintenances: flag(true),
    embed_widget_enabled: flag(false),
    embed_badge_label: words(100),
    embed_launcher_button_color: color(),
    embed_launcher_button_color_dark: color(),
    embed_launcher_button_display: mode(),
    embed_launcher_button_text_color: color(),
    embed_launcher_label: words(100),
    embed_launcher_position: mode(),
    embed_widget_eyebrow: words(100),
    embed_widget_title: words(200),
    embed_launcher_component_ids: z.array(id()).max(500).default([]),
    embed_launcher_maintenance_days: whole(0, 365, 30),
  },
}

import { z } from 'zod'
import { id } from '../../kernel/schema.ts'
import { choice, color, flag, lineOrNone, whole } from '../fields.ts'

export const embeds = {
  working: {
    embed_badge_enabled: flag(false).describe('Whether `/badge.svg` and `/badge.json` exist'),
    embed_badge_label: lineOrNone(100).describe('The left part of the badge; empty for the word for status'),
    embed_widget_enabled: flag(false).describe('Whether the widget and `/embed/frame` show something'),
    embed_widget_eyebrow: lineOrNone(100).describe('The small line above the title of the widget'),
    embed_widget_title: lineOrNone(200).describe('The title of the widget; empty for the name of the page'),
    embed_launcher_enabled: flag(false).describe('Whether `/embed.js` shows a button'),
    embed_launcher_label: lineOrNone(100).describe('The text of the button; empty for the state of the page'),
    embed_launcher_button_color: color().describe('The button on light pages; empty for the colour of the status'),
    embed_launcher_button_color_dark: color().describe('The button on dark pages; empty for the light colour'),
    embed_launcher_button_text_color: color().describe('The text of the button; empty for black or white'),
    embed_launcher_button_display: choice(['icon_and_text', 'icon', 'text']).describe('What the button shows'),
    embed_launcher_position: choice(['bottom_right', 'bottom_left', 'top_right', 'top_left']).describe(
      'The corner of the button',
    ),
    embed_launcher_draggable: flag(false).describe('Whether readers can move the button'),
    embed_launcher_show_incidents: flag(true).describe('Whether the button opens a list with open incidents'),
    embed_launcher_show_informational: flag(true).describe(
      'Whether the list has open incidents whose status is operational',
    ),
    embed_launcher_show_maintenances: flag(true).describe('Whether the list has maintenances'),
    embed_launcher_maintenance_days: whole(0, 365, 30).describe(
      'How many days ahead the list has maintenances, of each series only the next window',
    ),
    embed_launcher_component_ids: z
      .array(id())
      .max(500)
      .default([])
      .describe('The list is about these items, with what is below them; empty for all items'),
  },
  later: {},
}

import { flag, link, links, mode } from '../fields.ts'

export const layout = {
  working: {},
  later: {
    page_background_mode: mode(),
    page_background_url: link(),
    page_layout: mode(),
    header_action_style: mode(),
    header_background_url: link(),
    header_identity_mode: mode(),
    header_layout: mode(),
    header_show_admin_login: flag(false),
    header_show_subscribe: flag(true),
    header_show_theme_toggle: flag(true),
    header_show_timezone: flag(true),
    header_navigation_links: links().default([]),
    footer_navigation_links: links().default([]),
  },
}

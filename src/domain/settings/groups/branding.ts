import { z } from 'zod'
import { text } from '../../kernel/schema.ts'
import { color, flag, link, mode, words } from '../fields.ts'

export const branding = {
  working: {},
  later: {
    body_font_preset: mode(),
    body_font_url: link(),
    heading_font_preset: mode(),
    heading_font_url: link(),
    brand_color_dark: color(),
    brand_color_light: color(),
    custom_css: words(100_000),
    custom_body_script_url: link(),
    custom_head_script_url: link(),
    favicon_url: link(),
    logo_url: link(),
    logo_url_dark: link(),
    footer_text: words(2000),
    site_subtitle: words(300),
    site_title: words(200),
    show_site_title: flag(true),
    public_theme_profile: z.record(text(50), text(200)).default({}),
  },
}

import { z } from 'zod'
import { text } from '../../kernel/schema.ts'
import { color, flag, link, mode, secureLink, words } from '../fields.ts'

export const branding = {
  working: {
    brand_color_dark: color().describe('The colour of mails in a dark view; empty for `brand_color_light`'),
    brand_color_light: color().describe('The colour of mails; empty for a neutral colour'),
    logo_url: secureLink().describe('The logo of mails; empty for the title alone'),
    logo_url_dark: secureLink().describe('The logo in a dark view; empty for `logo_url`'),
    site_title: words(200).describe('The title of the page and of mails; empty for the name of the page'),
  },
  later: {
    body_font_preset: mode(),
    body_font_url: link(),
    heading_font_preset: mode(),
    heading_font_url: link(),
    custom_css: words(100_000),
    custom_body_script_url: link(),
    custom_head_script_url: link(),
    favicon_url: link(),
    footer_text: words(2000),
    site_subtitle: words(300),
    show_site_title: flag(true),
    public_theme_profile: z.record(text(50), text(200)).default({}),
  },
}

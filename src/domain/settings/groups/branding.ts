import { z } from 'zod'
import { choice, color, flag, lineOrNone, secureLink, words } from '../fields.ts'

const fontPreset = () => choice(['system', 'serif', 'mono', 'custom'])
const fontUrl = (of: string) =>
  secureLink().describe(`The font file of ${of} for the preset \`custom\`, such as a WOFF2 file`)
const scriptUrl = (where: string) =>
  secureLink().describe(`A script that the pages load ${where}; the content security policy names exactly this address`)

const themeProfile = z.strictObject({
  color_scheme: z.enum(['auto', 'light', 'dark']).default('auto').describe('`auto` follows the device of the reader'),
  radius: z.enum(['none', 'small', 'large']).default('large').describe('How round corners are'),
  density: z.enum(['comfortable', 'compact']).default('comfortable').describe('How much space is around texts'),
  status_colors: z
    .enum(['types', 'accessible'])
    .default('types')
    .describe('The colours of the status types, or colours that differ for people with colour blindness'),
})

export const branding = {
  working: {
    body_font_preset: fontPreset().describe('The font of texts'),
    body_font_url: fontUrl('texts'),
    heading_font_preset: fontPreset().describe('The font of headings'),
    heading_font_url: fontUrl('headings'),
    brand_color_dark: color().describe(
      'The colour of the page and of mails in a dark view; empty for `brand_color_light`',
    ),
    brand_color_light: color().describe('The colour of links, buttons and mails; empty for a neutral colour'),
    custom_css: words(100_000).describe(
      'CSS that is added to the style of the page. It has rules of the standards, with @media, @supports, @container, @keyframes and @font-face, and loads only from hosts that a logo, a font or a background of the settings names',
    ),
    custom_body_script_url: scriptUrl('after their content'),
    custom_head_script_url: scriptUrl('before their content'),
    favicon_url: secureLink().describe('The icon of the browser tab; empty for the state of the page'),
    logo_url: secureLink().describe('The logo of the page and of mails; empty for the title alone'),
    logo_url_dark: secureLink().describe(
      'The logo in a dark view; empty for `logo_url`. Without `logo_url`, a light view has the title alone',
    ),
    footer_text: words(2000).describe('A text at the end of the page, in Markdown'),
    site_subtitle: lineOrNone(300).describe('A line below the title of the page'),
    site_title: lineOrNone(200).describe('The title of the page and of mails; empty for the name of the page'),
    show_site_title: flag(true).describe(
      'Whether the header shows the title next to a logo; without a logo, the header always shows the title',
    ),
    public_theme_profile: themeProfile.default(themeProfile.parse({})),
  },
  later: {},
}

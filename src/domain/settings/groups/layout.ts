import { choice, flag, navigationLinks, secureLink } from '../fields.ts'

export const layout = {
  working: {
    page_background_mode: choice(['plain', 'image']).describe('`image` shows `page_background_url` behind the page'),
    page_background_url: secureLink().describe('The image behind the page for the mode `image`'),
    page_layout: choice(['narrow', 'wide']).describe('How wide the page becomes on large screens'),
    header_action_style: choice(['button', 'link']).describe('How the header shows the link to subscribe'),
    header_background_url: secureLink().describe('The image behind the header; empty for none'),
    header_identity_mode: choice(['logo_and_title', 'logo', 'title']).describe(
      'What names the page in the header; without a logo, the title always does',
    ),
    header_layout: choice(['left', 'center']).describe('How the header is aligned'),
    header_show_subscribe: flag(true).describe('Whether the header has a link to subscribe'),
    header_show_theme_toggle: flag(true).describe('Whether readers can choose a light or a dark view'),
    header_show_timezone: flag(true).describe(
      'Whether the footer names the time zone and offers the one of the reader',
    ),
    header_navigation_links: navigationLinks().describe('Links in the header'),
    footer_navigation_links: navigationLinks().describe('Links in the footer'),
  },
  later: {
    header_show_admin_login: flag(false),
  },
}

import type { Settings } from '../schema.ts'

const fields = [
  ...(['logo_url', 'logo_url_dark', 'favicon_url', 'page_background_url', 'header_background_url'] as const),
  ...(['body_font_url', 'heading_font_url'] as const),
]

/** The hosts from which custom CSS may load images and fonts: those that the settings name for logos, fonts and backgrounds. */
export function cssHosts(settings: Pick<Settings, (typeof fields)[number]>): Set<string> {
  const hosts = fields.map((field) => URL.parse(settings[field])?.host ?? '')
  return new Set(hosts.filter(Boolean))
}

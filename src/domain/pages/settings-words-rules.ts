interface Link {
  label: string
}

/** The texts of settings in one language: the labels of links by their original label, other texts by their field. */
export type SettingWords = { link_labels?: Record<string, string> } & Record<string, unknown>

const lists = ['header_navigation_links', 'footer_navigation_links'] as const

/** Settings with the texts of another language. A link without a translation keeps its label. */
export function withWords<S extends Record<(typeof lists)[number], Link[]>>(settings: S, words: SettingWords): S {
  const { link_labels = {}, ...texts } = words
  const labels = new Map(Object.entries(link_labels))
  const links = lists.map((name) => [
    name,
    settings[name].map((link) => ({ ...link, label: labels.get(link.label) ?? link.label })),
  ])
  return { ...settings, ...texts, ...Object.fromEntries(links) }
}

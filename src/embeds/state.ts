import type { EmbedView } from '../domain/embeds/read.ts'
import { contrast } from '../domain/settings/color-rules.ts'
import { directionOf } from '../languages/labels.ts'
import { contextOf, type SiteContext } from '../page/site/context.ts'
import type { ReadPlace } from '../web/read-addresses.ts'

/** What the script of the widget and the launcher shows. */
export function embedState(view: EmbedView, { url, path }: ReadPlace) {
  const context = contextOf(view, { base: url, path })
  const { settings } = view
  const { text, labels } = context
  return {
    url: context.link('/'),
    language: labels.language,
    direction: directionOf(labels.language),
    labels: {
      open: text('embed.open', { page: view.name }),
      close: text('embed.close'),
      calm: text('embed.calm'),
      page: text('embed.page'),
      move: text('embed.move'),
    },
    widget: view.widget && {
      eyebrow: settings.embed_widget_eyebrow,
      title: settings.embed_widget_title || view.name,
      ...partOf(view.widget, context),
    },
    launcher: view.launcher && {
      label: settings.embed_launcher_label,
      display: settings.embed_launcher_button_display,
      position: settings.embed_launcher_position,
      draggable: settings.embed_launcher_draggable,
      ...buttonColors(view, context),
      ...partOf(view.launcher, context),
    },
  }
}

type Part = NonNullable<EmbedView['widget']>

function partOf({ status, sentence, entries }: Part, { look, link }: SiteContext) {
  const signOf = (key: string) => {
    const { color, ink, shape } = look(key)
    return { color, ink, shape }
  }
  return {
    sentence,
    ...signOf(status),
    entries: entries.map(({ kind, id, title, status: key, at }) => ({
      ...{ title, at, name: look(key).name, ...signOf(key) },
      url: link(`/${kind}s/${id}`),
    })),
  }
}

/** The button has the colour of the status unless the settings name another one. */
function buttonColors({ settings, launcher }: EmbedView, { look }: SiteContext) {
  const own = look(launcher!.status).color
  const light = settings.embed_launcher_button_color || own
  const dark = settings.embed_launcher_button_color_dark || light
  const ink = (color: string) =>
    settings.embed_launcher_button_text_color || (contrast('#ffffff', color) >= 4.5 ? '#ffffff' : '#16191d')
  return { light: { color: light, ink: ink(light) }, dark: { color: dark, ink: ink(dark) } }
}

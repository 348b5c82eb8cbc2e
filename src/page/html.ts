import { sentenceOf } from '../domain/pages/summary/sentence-rules.ts'
import { stateOf } from '../domain/pages/summary/state-rules.ts'
import type { PageView } from '../domain/pages/views/home.ts'
import { labelsFor } from '../languages/labels.ts'
import { renderHierarchy } from './hierarchy.ts'
import { favicon, icon, iconSheet } from './icons.ts'
import { renderOpen, renderResolved } from './incidents.ts'
import { DOCUMENT_LANGUAGE } from './languages.ts'
import { renderMaintenance } from './maintenances.ts'
import { html, type Markup } from './markup.ts'
import { appearanceFinder } from './status-appearance.ts'
import { styleOf } from './style.ts'
import { type RenderContext, renderContextOf } from './timeline.ts'
import { updatedAt } from './times.ts'

/** The whole page as one document without further requests. */
export function renderPage(view: PageView): string {
  const look = appearanceFinder(view.status_types)
  const context = renderContextOf(view, look)
  const state = stateOf(view)
  const sentence = sentenceOf(state, view.status_types, labelsFor(DOCUMENT_LANGUAGE))
  const seen = look(state.status)
  const body = html`
    <header><h1><bdi${context.languages.original}>${view.name}</bdi></h1></header>
    <main>
      <p class="card state ${seen.className}">${icon(seen)}<span>${sentence}</span></p>
      ${openIncidents(view, context)}
      ${maintenances('active', 'Maintenance in progress', view.active_maintenances, context)}
      <section aria-labelledby="components">
        <h2 id="components">Components</h2>
        ${renderHierarchy(view, context)}
      </section>
      ${maintenances('upcoming', 'Upcoming maintenance', view.upcoming_maintenances, context)}
      ${resolvedIncidents(view, context)}
    </main>
    <footer><span>Updated ${updatedAt(view.generated_at, view.date_locale)}</span><a href="/api/docs">API</a></footer>
  `
  const title = `${view.name}: ${sentence.replace(/\.$/, '')}`
  const style = styleOf(view.status_types)
  return document({ title, description: sentence, icon: favicon(seen), style, body })
}

function openIncidents(view: PageView, context: RenderContext): Markup | undefined {
  const { open_incidents, open_total } = view
  if (open_incidents.length === 0) return undefined
  const left = open_total - open_incidents.length
  return html`<section aria-labelledby="open">
    <h2 id="open">Open incidents</h2>
    ${open_incidents.map((incident) => renderOpen(incident, context))}
    ${left > 0 && html`<p class="soft">${left} more are open. All can be read through the <a href="/api/docs">API</a>.</p>`}
  </section>`
}

function maintenances(id: string, title: string, list: PageView['active_maintenances'], context: RenderContext) {
  if (list.length === 0) return undefined
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${list.map((maintenance) => renderMaintenance(maintenance, context))}
  </section>`
}

function resolvedIncidents(view: PageView, context: RenderContext): Markup {
  const { resolved_incidents } = view
  const none = html`<p class="card none">No incidents.</p>`
  return html`<section aria-labelledby="resolved">
    <h2 id="resolved">Resolved in the last 14 days</h2>
    ${resolved_incidents.length > 0 ? resolved_incidents.map((incident) => renderResolved(incident, context)) : none}
  </section>`
}

interface Document {
  title: string
  description?: string
  icon?: Markup
  style: string
  body: Markup
}

export function document({ title, description, icon, style, body }: Document): string {
  const head = html`<!doctype html>
    <html lang="${DOCUMENT_LANGUAGE}">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    ${description && html`<meta name="description" content="${description}">`}
    ${icon ?? html`<link rel="icon" href="data:,">`}
    <style>${{ markup: style }}</style>
    </head>
    <body>${icon && iconSheet()}${body}</body>
    </html>
  `
  return `${head.markup}\n`
}

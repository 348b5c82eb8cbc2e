import type { PageView } from '../domain/pages/home.ts'
import { renderHierarchy } from './hierarchy.ts'
import { favicon, icon, iconSheet } from './icons.ts'
import { renderOpen, renderResolved } from './incidents.ts'
import { DOCUMENT_LANGUAGE } from './languages.ts'
import { lookFinder } from './looks.ts'
import { renderMaintenance } from './maintenances.ts'
import { html, type Markup } from './markup.ts'
import { stateOf } from './rules.ts'
import { styleOf } from './style.ts'
import { updatedAt } from './times.ts'
import { type Scene, sceneOf } from './told.ts'

/** The whole page as one document, with nothing to fetch besides it. */
export function renderPage(view: PageView): string {
  const look = lookFinder(view.status_types)
  const scene = sceneOf(view, look)
  const { status, sentence } = stateOf(view)
  const seen = look(status)
  const body = html`
    <header><h1><bdi${scene.languages.original}>${view.name}</bdi></h1></header>
    <main>
      <p class="card state ${seen.className}">${icon(seen)}<span>${sentence}</span></p>
      ${openIncidents(view, scene)}
      ${maintenances('active', 'Maintenance in progress', view.active_maintenances, scene)}
      <section aria-labelledby="components">
        <h2 id="components">Components</h2>
        ${renderHierarchy(view, scene)}
      </section>
      ${maintenances('upcoming', 'Upcoming maintenance', view.upcoming_maintenances, scene)}
      ${resolvedIncidents(view, scene)}
    </main>
    <footer><span>Updated ${updatedAt(view.generated_at, view.date_locale)}</span><a href="/api/docs">API</a></footer>
  `
  const title = `${view.name}: ${sentence.replace(/\.$/, '')}`
  const style = styleOf(view.status_types)
  return document({ title, description: sentence, icon: favicon(seen), style, body })
}

function openIncidents(view: PageView, scene: Scene): Markup | undefined {
  const { open_incidents, open_total } = view
  if (open_incidents.length === 0) return undefined
  const left = open_total - open_incidents.length
  return html`<section aria-labelledby="open">
    <h2 id="open">Open incidents</h2>
    ${open_incidents.map((incident) => renderOpen(incident, scene))}
    ${left > 0 && html`<p class="soft">${left} more are open. All can be read through the <a href="/api/docs">API</a>.</p>`}
  </section>`
}

function maintenances(id: string, title: string, list: PageView['active_maintenances'], scene: Scene) {
  if (list.length === 0) return undefined
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${list.map((maintenance) => renderMaintenance(maintenance, scene))}
  </section>`
}

function resolvedIncidents(view: PageView, scene: Scene): Markup {
  const { resolved_incidents } = view
  const none = html`<p class="card none">No incidents.</p>`
  return html`<section aria-labelledby="resolved">
    <h2 id="resolved">Resolved in the last 14 days</h2>
    ${resolved_incidents.length > 0 ? resolved_incidents.map((incident) => renderResolved(incident, scene)) : none}
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

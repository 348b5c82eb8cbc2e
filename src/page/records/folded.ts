import { html, type Markup } from '../markup.ts'
import {
  about,
  affected,
  description,
  type Incident,
  impact,
  type Kind,
  type Maintenance,
  type RecordContext,
} from './about.ts'
import { timeline } from './timeline.ts'

/** The ways in which lists show records whose timelines are folded. */

interface Folded {
  kind: Kind
  record: Incident | Maintenance
  /** The line below the title. */
  facts: Markup
  isOpen: boolean
  /** What follows the fold. */
  end?: Markup | undefined
}

/** A card: what happened is folded. */
export function foldedCard({ kind, record, facts, isOpen, end }: Folded, context: RecordContext): Markup {
  const { site, text } = context
  const { show_incident_impact_in_collapsed: hasImpact } = site.settings
  const itsImpact = impact(kind, record, context)
  return html`<article class="card incident${isOpen && ` open ${context.look(record.status).className}`}" id="${kind}-${record.id}">
    ${heading(kind, record, context)}
    ${facts}
    ${hasImpact && itsImpact}
    ${affected(kind, record, context)}
    <details class="more">
      <summary><span class="fold">${text('page.incident.what_happened')}</span></summary>
      ${description(kind, record, context)}
      ${!hasImpact && itsImpact}
      ${timeline(kind, record.updates ?? [], context)}
      ${detailsLink(kind, record, context)}
    </details>
    ${end}
  </article>`
}

/** A line that unfolds to everything else. */
export function foldedLine({ kind, record, facts }: Omit<Folded, 'end' | 'isOpen'>, context: RecordContext): Markup {
  return html`<details class="card incident compact open ${context.look(record.status).className}" id="${kind}-${record.id}">
    <summary>${heading(kind, record, context)}${facts}<span class="fold"></span></summary>
    <div class="details">
      ${about(kind, record, context)}
      ${timeline(kind, record.updates ?? [], context)}
      ${detailsLink(kind, record, context)}
    </div>
  </details>`
}

export const heading = (kind: Kind, { id, title }: Folded['record'], { languages }: RecordContext): Markup =>
  html`<h3 dir="auto"${languages.of(kind, id, 'title')}>${title}</h3>`

export const detailsLink = (kind: Kind, { id }: Folded['record'], { site, link, text }: RecordContext) =>
  site.settings.show_incident_view_details_link &&
  html`<p class="about more"><a href="${link(`/${kind}s/${id}`)}">${text('page.incident.details')}</a></p>`

import type { SiteView } from '../domain/pages/views/site.ts'
import { homeSheet } from './home/home-sheet.ts'
import { siteSheet } from './site/site-sheet.ts'
import { statusAppearances } from './status-appearance.ts'

/** Dark colours are colours of screens: a printed page is always light. */
const base = `
:root{color-scheme:light dark;--bg:#f5f6f8;--card:#fff;--text:#191d22;--soft:#59626d;--line:#dfe3e8;--link:#0b5cad;--brand:#0b5cad;--on-brand:#fff;--r:.75rem;--d:1;--w:46rem;--font:system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;--head:var(--font)}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){--bg:#111417;--card:#1a1e23;--text:#e9ecef;--soft:#a6afb9;--line:#2d333a;--link:#7cb8f5;--brand:#7cb8f5;--on-brand:#000}}
[data-theme=light]{color-scheme:light}
@media screen{[data-theme=dark]{color-scheme:dark;--bg:#111417;--card:#1a1e23;--text:#e9ecef;--soft:#a6afb9;--line:#2d333a;--link:#7cb8f5;--brand:#7cb8f5;--on-brand:#000}}
*{box-sizing:border-box;--rim:color-mix(in srgb,var(--c) 78%,var(--text))}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:var(--w);padding:1.5rem 1rem 2rem;background:var(--bg);color:var(--text);font:1rem/1.5 var(--font);overflow-wrap:anywhere}
h1,h2,h3,h4,p,ul,ol{margin:0;padding:0}
h1,h2,h3,h4{font-family:var(--head)}
h1{font-size:1.375rem;line-height:1.3;letter-spacing:-.01em}
h2{margin:2.25rem 0 .625rem;font-size:1.0625rem;line-height:1.4}
h3{font-size:1.0625rem;line-height:1.4}
h4{margin:.75rem 0 0;font-size:1rem;line-height:1.4}
ul,ol{list-style:none}
a{color:var(--link)}
svg{flex:none;width:1rem;height:1rem;fill:var(--c);color:var(--on)}
.sheet,.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.b{stroke:var(--rim);stroke-width:.7}
.g{fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
.soft,time{color:var(--soft)}
.card{background:var(--card);border:1px solid var(--line);border-radius:var(--r)}
.none{padding:1rem;color:var(--soft)}
summary{cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:.25rem}
footer{margin-top:2.5rem;padding-top:1rem;border-top:1px solid var(--line);font-size:.875rem;color:var(--soft)}
.notice{padding:1.5rem 1.25rem;margin-top:15vh}
.notice p{margin-top:.5rem}
@media(min-width:40rem){body{padding-top:2.5rem}h1{font-size:1.625rem}.none{padding:1rem 1.25rem}}
@media print{details::details-content{display:block!important;content-visibility:visible!important;block-size:auto!important}.fold::after,nav:not(.crumbs),button,.skip{display:none!important}:root{color-scheme:light!important}body{max-width:none;padding:0;background:none!important}}
`

const short = (sheet: string) => sheet.trim().replace(/\n/g, '')
const fixed = short(base)
const pages = short(siteSheet) + short(homeSheet)

/** The style of a small page such as a notice. */
export const plainStyle = (): string => `${fixed}.sx{--c:#868e96;--on:#fff}`

/** The style of the pages of records. The colours of statuses are classes, so that no element needs a style attribute. */
export function styleOf(types: SiteView['status_types'], options: { accessible?: boolean } = {}): string {
  const colors = statusAppearances(types, options).map(
    (look) => `.${look.className}{--c:${look.color};--on:${look.ink}}`,
  )
  return `${plainStyle()}${pages}${colors.join('')}`
}

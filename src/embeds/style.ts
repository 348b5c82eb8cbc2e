import type { SiteView } from '../domain/pages/views/site.ts'
import { hasAccessibleColors } from '../page/site/context.ts'
import { statusAppearances } from '../page/status-appearance.ts'

const light = '--card:#fff;--text:#1a1d21;--soft:#5b6570;--line:#d9dee3;--link:#0b5cad;color-scheme:light'
const dark = '--card:#1d2126;--text:#eef1f4;--soft:#a9b3bd;--line:#3a424b;--link:#8cc4ff;color-scheme:dark'

const plain = `*{box-sizing:border-box}
body{margin:0;font:400 15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--text);background:var(--card)}
main{padding:16px}
.sheet{position:absolute;width:0;height:0}
.eyebrow{margin:0 0 2px;font-size:12px;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
h1{margin:0 0 8px;font-size:16px;font-weight:650;line-height:1.3}
p{margin:12px 0 0}
.state{display:flex;gap:8px;align-items:center;margin:0;font-weight:550}
svg{flex:none;width:18px;height:18px}
.g{fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round}
ul{list-style:none;margin:12px 0 0;padding:0;border-top:1px solid var(--line)}
li{display:grid;grid-template-columns:18px 1fr;gap:2px 8px;align-items:center;padding:10px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
small{grid-column:2;font-size:13px;color:var(--soft)}
a{color:var(--link)}
li a{color:inherit;font-weight:550;text-decoration:none}
a:hover{text-decoration:underline}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}`

/** The style of documents in frames. Without a theme, the reader's own choice between light and dark holds. */
export function embedStyle(site: SiteView, theme: string | undefined): string {
  const looks = statusAppearances(site.status_types, { accessible: hasAccessibleColors(site) })
  const colors = looks.map(({ className, color, ink }) => `.${className}{fill:${color};color:${ink}}`)
  const scheme =
    theme === 'light' || theme === 'dark'
      ? `:root{${theme === 'dark' ? dark : light}}`
      : `:root{${light}}@media (prefers-color-scheme:dark){:root{${dark}}}`
  return [scheme, plain, ...colors, '.sx{fill:#868e96;color:#fff}'].join('\n')
}

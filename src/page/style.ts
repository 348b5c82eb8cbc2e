import type { PageView } from '../domain/pages/views/home.ts'
import { statusAppearances } from './status-appearance.ts'

const sheet = `
:root{color-scheme:light dark;--bg:#f5f6f8;--card:#fff;--text:#191d22;--soft:#59626d;--line:#dfe3e8;--link:#0b5cad}
@media(prefers-color-scheme:dark){:root{--bg:#111417;--card:#1a1e23;--text:#e9ecef;--soft:#a6afb9;--line:#2d333a;--link:#7cb8f5}}
*{box-sizing:border-box;--rim:color-mix(in srgb,var(--c) 78%,var(--text))}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:46rem;padding:1.5rem 1rem 2rem;background:var(--bg);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;overflow-wrap:anywhere}
h1,h2,h3,p,ul,ol{margin:0;padding:0}
h1{font-size:1.375rem;line-height:1.3;letter-spacing:-.01em}
h2{margin:2.25rem 0 .625rem;font-size:1.0625rem;line-height:1.4}
h3{font-size:1.0625rem;line-height:1.4}
h4{margin:.75rem 0 0;font-size:1rem;line-height:1.4}
ul,ol{list-style:none}
a{color:var(--link)}
svg{flex:none;width:1rem;height:1rem;fill:var(--c);color:var(--on)}
.sheet{display:none}
.b{stroke:var(--rim);stroke-width:.7}
.g{fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
.soft,time{color:var(--soft)}
.prose{white-space:pre-line}
.card{background:var(--card);border:1px solid var(--line);border-radius:.75rem}
.state{display:flex;text-wrap:balance;align-items:center;gap:.875rem;margin-top:1rem;padding:1.25rem 1rem;font-size:1.375rem;line-height:1.3;font-weight:650;letter-spacing:-.01em;border-color:var(--rim);background:color-mix(in srgb,var(--c) 11%,var(--card))}
.state svg{width:2rem;height:2rem}
.incident{padding:1rem;margin-bottom:.75rem}
.open{border-color:var(--rim)}
.facts{display:flex;flex-wrap:wrap;gap:.125rem .875rem;margin-top:.25rem;font-size:.9375rem;color:var(--soft)}
.mark{display:inline-flex;align-items:center;gap:.4375rem;color:var(--text);font-weight:600}
.incident .about,.incident>.prose,.more>.prose{margin-top:.75rem}
.about{font-size:.9375rem}
.about b{font-weight:600}
.incident .about+.about{margin-top:.125rem}
.line{margin-top:1rem}
.line li{position:relative;padding:0 0 1rem 1.5rem}
.line li::before{content:"";position:absolute;left:.4375rem;top:.75rem;bottom:-.75rem;width:2px;margin-left:-1px;background:var(--line)}
.line:last-child>li:last-child{padding-bottom:0}
.line:last-child>li:last-child::before{display:none}
.line svg{position:absolute;left:0;top:.3125rem;width:.875rem;height:.875rem;background:var(--card);border-radius:50%}
.line .when{display:flex;flex-wrap:wrap;gap:0 .625rem;font-size:.9375rem}
summary{cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary:focus-visible,a:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:.25rem}
.count{font-size:.875rem;font-weight:400;white-space:nowrap}
.fold::after{content:"";display:inline-block;width:.4375rem;height:.4375rem;margin:0 .25rem .1875rem .5rem;border:solid var(--soft);border-width:0 2px 2px 0;transform:rotate(45deg)}
details[open]>summary .fold::after{transform:translateY(.1875rem) rotate(225deg)}
.more{margin-top:.75rem}
.line+.more{margin-top:0;padding-left:1.5rem}
.line+.more>.line{margin-left:-1.5rem}
.more>summary{display:inline-block;font-size:.9375rem;color:var(--link)}
.row{display:flex;align-items:baseline;justify-content:space-between;gap:.25rem 1rem;padding:.625rem 0}
.name{flex:1 1 auto;min-width:0}
.name small{display:block;font-size:.875rem;color:var(--soft);white-space:pre-line}
.is{display:inline-flex;align-items:flex-start;gap:.5rem;flex:none;max-width:62%;overflow-wrap:break-word;text-align:end;font-size:.9375rem;font-weight:600}
.is bdi{min-width:0}
.is svg{margin-top:.1875rem}
.ok{font-weight:400;color:var(--soft)}
.tree{padding:.25rem 1rem}
.tree>li+li{border-top:1px solid var(--line)}
.tree>li>.row .name,.tree>li>details>.row .name{font-weight:600}
.tree>li>.row small,.tree>li>details>.row small{font-weight:400}
.tree ul{margin:0 0 .5rem;padding-left:1rem}
.tree ul .row{padding:.3125rem 0}
.tree ul ul{margin:0 0 .25rem}
.tree ul ul ul ul{padding-left:.375rem}
.none{padding:1rem;color:var(--soft)}
footer{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem;margin-top:2.5rem;padding-top:1rem;border-top:1px solid var(--line);font-size:.875rem;color:var(--soft)}
.notice{padding:1.5rem 1.25rem;margin-top:15vh}
.notice p{margin-top:.5rem}
@media(min-width:40rem){body{padding-top:3rem}h1{font-size:1.625rem}.state{padding:1.5rem 1.25rem;font-size:1.625rem}.tree{padding:.25rem 1.25rem}.incident{padding:1.125rem 1.25rem 1.25rem}.none{padding:1rem 1.25rem}}
@media print{details::details-content{display:block!important;content-visibility:visible!important;block-size:auto!important}.fold::after{display:none}}
`
const fixed = sheet.trim().replace(/\n/g, '')

/** The style of a page. The colours of the page are classes, so that no element needs a style attribute. */
export function styleOf(types: PageView['status_types']): string {
  const colors = statusAppearances(types).map((look) => `.${look.className}{--c:${look.color};--on:${look.ink}}`)
  return `${fixed}.sx{--c:#868e96;--on:#fff}${colors.join('')}`
}

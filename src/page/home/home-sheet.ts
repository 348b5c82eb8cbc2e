import { DASHES, HEIGHT } from '../items/bars-rules.ts'

/** The style of the front page: the state, the items with their bars, charts, and folded sections. */
export const homeSheet = `
.state{display:flex;text-wrap:balance;align-items:center;gap:.875rem;padding:1.25rem 1rem;font-size:1.375rem;line-height:1.3;font-weight:650;letter-spacing:-.01em;border-color:var(--rim);background:color-mix(in srgb,var(--c) 11%,var(--card))}
.state svg{width:2rem;height:2rem}
.part{margin:1.5rem 0 1rem}.part h1{margin:0}.part p{margin:.25rem 0 0}
.section>summary{display:flex;align-items:center;justify-content:space-between;margin:2.25rem 0 .625rem}
.section>summary h2{margin:0}
.heading{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:.25rem 1rem}
.views{display:flex;gap:.75rem;font-size:.875rem;font-weight:400;margin-bottom:.5rem}
.views [aria-current]{color:inherit;font-weight:650;text-decoration:none}
.row{display:flex;align-items:baseline;justify-content:space-between;gap:.25rem 1rem;padding:calc(.625rem*var(--d)) 0}
.name{flex:1 1 auto;min-width:0}
.name a{color:inherit;text-decoration:none}
.name a:hover{text-decoration:underline}
.name small{display:block;font-size:.875rem;color:var(--soft);white-space:pre-line}
.is{display:inline-flex;align-items:flex-start;gap:.5rem;flex:none;max-width:62%;overflow-wrap:break-word;text-align:end;font-size:.9375rem;font-weight:600}
.is bdi{min-width:0}
.is svg{margin-top:.1875rem}
.ok{font-weight:400;color:var(--soft)}
.tree{padding:.25rem 1rem}
.tree>li+li{border-top:1px solid var(--line)}
.tree>li>.row .name,.tree>li>details>.row .name{font-weight:600}
.tree .path{font-size:.875rem;font-weight:400;color:var(--soft)}
.tree>li>.row small,.tree>li>details>.row small{font-weight:400}
.tree ul{margin:0 0 .5rem;padding-inline-start:1rem}
.tree ul .row{padding:calc(.3125rem*var(--d)) 0}
.tree ul ul{margin:0 0 .25rem}
.tree ul ul ul ul{padding-inline-start:.375rem}
.bars{position:relative;padding-bottom:calc(.625rem*var(--d))}
.bars svg{display:block;width:100%;height:1.875rem;stroke-width:${HEIGHT};stroke-dasharray:${DASHES}}
.tree ul .bars svg{height:1.375rem}
.bars path{fill:none;stroke:var(--c)}.bars .nd{stroke:var(--line)}
[dir=rtl] .bars svg{transform:scaleX(-1)}
.scale{display:flex;justify-content:space-between;gap:.5rem;margin-top:.25rem;font-size:.8125rem;color:var(--soft)}
.scale a,.percent{color:inherit}
.percent{flex:none;font-size:.875rem;color:var(--soft);font-variant-numeric:tabular-nums;text-decoration:none}
.percent:hover{text-decoration:underline}
.strip{border-radius:.25rem}
.strip:focus-visible{outline-offset:4px}
.day{position:absolute;z-index:2;bottom:100%;inset-inline-start:0;width:max-content;max-width:min(20rem,88vw);margin-bottom:.25rem;padding:.625rem .75rem;font-size:.875rem;box-shadow:0 .25rem 1rem rgb(0 0 0/.18)}
.day b{display:block}
.day ul{margin-top:.25rem}
.point{position:absolute;top:-.125rem;height:2.125rem;border:2px solid var(--text);border-radius:.125rem;pointer-events:none}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,15rem),1fr));gap:.75rem}
.chart{padding:.875rem 1rem}
.chart .value{font-size:1.25rem;font-weight:650}
.chart svg{width:100%;height:3rem;margin-top:.5rem;fill:none;stroke:var(--link);stroke-width:1.5}
[dir=rtl] .chart svg{transform:scaleX(-1)}
.legend{justify-content:space-between;display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin-top:.5rem;font-size:.8125rem;color:var(--soft)}
.legend span{display:inline-flex;align-items:center;gap:.375rem}
.legend svg{width:.75rem;height:.75rem}
.compact{padding-block:calc(.625rem*var(--d));margin-bottom:.5rem}
.compact>summary{display:grid;grid-template-columns:1fr auto auto;align-items:baseline;gap:.125rem 1rem}
.compact>summary .facts{margin:0}
.when-of{margin:1rem 0 .5rem;font-size:.9375rem;font-weight:600;color:var(--soft)}
@media(max-width:39.99rem){.compact>summary{grid-template-columns:1fr auto}.compact>summary .facts{grid-area:2/1}.row{flex-wrap:wrap}.row .name{flex:1 1 0}.row .is{max-width:calc(100% - 6.5rem)}.row .percent{order:3;flex:1 0 100%;margin-top:-.25rem}}
@media(min-width:40rem){.state{padding:1.5rem 1.25rem;font-size:1.625rem}.tree{padding:.25rem 1.25rem}}
`

/** The style of the logo, the title and the languages, on pages without records too. */
export const identitySheet = `
.bar{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.75rem 1.5rem;border-radius:var(--r)}
.top{margin-bottom:1.25rem;border-radius:var(--r)}
.identity{display:flex;align-items:center;gap:.75rem;color:inherit;text-decoration:none}
.logo{height:2.5rem;width:auto;max-width:12rem;object-fit:contain}
.site{font:650 1.25rem/1.3 var(--head)}
.bar nav,.row-of{display:flex;flex-wrap:wrap;align-items:center;gap:.375rem 1.125rem;font-size:.9375rem}
.row-of{font-size:.875rem;margin-top:.5rem}
.bar nav a,.row-of a{text-decoration:none}
.bar nav a:hover,.row-of a:hover{text-decoration:underline}
.languages [aria-current]{font-weight:650;color:inherit}
.in-dark{display:none}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]) .in-dark{display:block}:root:not([data-theme=light]) .in-light{display:none}}
@media screen{[data-theme=dark] .in-dark{display:block}[data-theme=dark] .in-light{display:none}}
`

/**
 * The style of the header, the footer, and of records on all pages. Texts of users begin at the side at which the page begins, with
 * the direction of their own words.
 */
export const siteSheet = `${identitySheet}
.skip{position:absolute;inset-inline-start:-999rem}
.skip:focus{position:static;display:inline-block;margin-bottom:.5rem}
.subtitle{margin-top:.125rem;color:var(--soft);font-size:.9375rem}
.button{padding:.5rem 1rem;border-radius:calc(var(--r)*.7);background:var(--brand);color:var(--on-brand);font-weight:650;text-decoration:none;border:1px solid transparent}
button.quiet{padding:.25rem .5rem;border:1px solid var(--line);border-radius:.375rem;background:none;color:inherit;font:inherit;font-size:.875rem;cursor:pointer}
button.theme{display:inline-flex;padding:.4375rem}
.theme svg{width:1.125rem;height:1.125rem;fill:none;stroke:currentColor;stroke-width:1.5}
.theme path{fill:currentColor;stroke:none}
[hidden]{display:none!important}
.incident{padding:calc(1rem*var(--d)) 1rem;margin-bottom:.75rem}
.open{border-color:var(--rim)}
.facts{display:flex;flex-wrap:wrap;gap:.125rem .875rem;margin-top:.25rem;font-size:.9375rem;color:var(--soft)}
.mark{display:inline-flex;align-items:baseline;gap:.4375rem;color:var(--text);font-weight:600}
.mark>svg{align-self:center}
.incident .about,.incident>.prose,.more>.prose,.details{margin-top:.75rem}
.about{font-size:.9375rem}
.about b{font-weight:600}
.about+.prose{margin-top:.5rem}
.facts time{white-space:nowrap}
html[dir=rtl] [dir]{text-align:right}html[dir=ltr] [dir]{text-align:left}
div.prose{direction:inherit}.prose :is(p,li,td,th){unicode-bidi:plaintext}
.incident .about+.about:not(.more){margin-top:.125rem}
.prose>*+*{margin-top:.5rem}
.prose ul,.prose ol{padding-inline-start:1.25rem}
.prose ul{list-style:disc}.prose ol{list-style:decimal}
.prose code,.prose pre{font:.9em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--bg);border-radius:.25rem;padding:.0625rem .25rem}
.prose pre{direction:ltr;text-align:left;white-space:pre-wrap;padding:.625rem .75rem;margin-bottom:0}
.prose pre code{padding:0}
.shown{margin:.25rem 0 1rem}.shown img{max-width:100%;height:auto}.shown iframe{max-width:100%;border:1px solid var(--line);border-radius:.75rem}
.prose blockquote{margin:0;padding-inline-start:.75rem;border-inline-start:3px solid var(--line);color:var(--soft)}
.prose table{border-collapse:collapse}.prose td,.prose th{padding:.25rem .5rem;border:1px solid var(--line);text-align:inherit}
.line{margin-top:1rem}
.line>li{position:relative;padding-bottom:calc(1rem*var(--d));padding-inline-start:1.5rem}
.line>li::before{content:"";position:absolute;inset-inline-start:.4375rem;top:.75rem;bottom:-.75rem;width:2px;margin-inline-start:-1px;background:var(--line)}
.line:last-child>li:last-child{padding-bottom:0}
.line:not(:has(+details))>li:last-child::before{display:none}
.line>li>.when svg{position:absolute;inset-inline-start:0;top:.3125rem;width:.875rem;height:.875rem;background:var(--card);border-radius:50%}
.line .when{display:flex;flex-wrap:wrap;gap:0 .625rem;font-size:.9375rem}
.count{font-size:.875rem;font-weight:400;white-space:nowrap}
.fold::after{content:"";display:inline-block;width:.4375rem;height:.4375rem;margin:0 .25rem .1875rem;margin-inline-start:.5rem;border:solid var(--soft);border-width:0 2px 2px 0;transform:rotate(45deg)}
details[open]>summary .fold::after{transform:translateY(.1875rem) rotate(225deg)}
.more{margin-top:.75rem}
.line+.more{margin-top:.25rem}
.line+details.more{padding-inline-start:1.5rem}
.line+.more>.line{margin-inline-start:-1.5rem}
.more>summary{display:inline-block;font-size:.9375rem;color:var(--link)}
.crumbs{display:flex;flex-wrap:wrap;gap:.25rem .5rem;margin-bottom:.5rem;font-size:.9375rem;color:var(--soft)}
.panel{padding:1.25rem 1rem}
.panel+.panel{margin-top:.75rem}
.panel>.about:not(:first-child){margin-top:.75rem}.panel>.about+.about{margin-top:.125rem}
:is(.facts,h1)+.card{margin-top:.875rem}
.panel h2:first-child{margin-top:0}
.table{overflow-x:auto}
table.plain{width:100%;border-collapse:collapse;font-size:.9375rem}
.plain th,.plain td{padding-block:.4375rem;padding-inline:0 .75rem;border-bottom:1px solid var(--line);text-align:start;vertical-align:top;overflow-wrap:break-word}
.plain th{font-weight:600}
.plain th[scope=row]{overflow-wrap:anywhere}
.lasted{display:block;font-weight:400;color:var(--soft)}
.plain .number{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
@media(max-width:39.99rem){.plain th,.plain td{padding-inline-end:.5rem}}
.plain tr>:last-child{padding-inline-end:0}
@media(min-width:50rem){.days th[scope=row]{white-space:nowrap}}
@media(max-width:49.99rem){.days,.days tbody{display:block}.days thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.days tr{display:grid;grid-template-columns:1fr auto;gap:0 1rem;padding:.5rem 0;border-bottom:1px solid var(--line)}.days th,.days td{padding:0;border:0}.days td{grid-column:1/-1}.days td.number{grid-area:1/2}.days td:empty{display:none}}
.finder{display:flex;flex-wrap:wrap;gap:.5rem}
.finder input{flex:1 1 14rem;min-width:0;padding:.5625rem .75rem;border:1px solid #868e96;border-radius:.5rem;background:var(--card);color:var(--text);font:inherit}
.finder button{cursor:pointer;font:inherit;font-weight:650}
.pages{display:flex;justify-content:space-between;gap:1rem;margin:1.25rem 0}
.results>li{padding:.5rem 0;border-top:1px solid var(--line)}
.results>li:first-child{border:0}
@media(min-width:40rem){.incident,.panel{padding-inline:1.25rem}.site{font-size:1.375rem}}
`

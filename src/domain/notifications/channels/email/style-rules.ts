import { textColorOn } from '../../../settings/color-rules.ts'
import type { Brand, Tone } from './mail.ts'

/** The colour of a status is a mark before its text, so that the text is legible on every colour. */
export const tones: Record<Tone, { name: string; color: string }> = {
  good: { name: 'status', color: '#2b8a3e' },
  bad: { name: 'status', color: '#d9480f' },
  planned: { name: 'status', color: '#1971c2' },
  neutral: { name: 'status', color: '#868e96' },
}

const narrow = `
@media (max-width:420px){
.fact{display:block;padding:0!important}
.fact+.fact{padding:0 0 6px!important}
}`

/** The dark view, and the view of narrow screens. The styles of the elements are the light view. */
export const styleSheet = ({ color_dark }: Brand): string =>
  `
:root{color-scheme:light dark}
${narrow}
@media (prefers-color-scheme:dark){
.ground{background:#111417!important;color:#e9ecef!important}
.mail,.title{color:#e9ecef!important}
.card{background:#1a1e23!important;border-color:#2d333a!important;border-top-color:${color_dark}!important}
.line{border-color:#2d333a!important}
.soft{color:#a6afb9!important}
.status{background:#262c33!important}
.prose a,a.link{color:#7cb8f5!important}
.prose blockquote{border-color:#2d333a!important}
td.button{background:${color_dark}!important}
a.button{color:${textColorOn(color_dark)}!important}
img.light{display:none!important}
img.dark{display:inline-block!important}
}
`.replace(/\n+/g, '\n')

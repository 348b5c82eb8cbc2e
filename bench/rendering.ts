import { brotliCompressSync, constants } from 'node:zlib'
import { renderHome } from '../src/page/home/home.ts'
import type { Say } from './support/bench-service.ts'
import { largePage } from './support/large-page.ts'
import type { Report } from './support/report.ts'

const ROUNDS = 20
const WARM = 5

const medianOf = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!

function time(run: () => unknown): number {
  const times: number[] = []
  for (let round = -WARM; round < ROUNDS; round += 1) {
    const started = performance.now()
    run()
    if (round >= 0) times.push(performance.now() - started)
  }
  return medianOf(times)
}

/** How long the largest page takes to render, against joining the same bytes from the parts between its tags. */
export default async function rendering(say: Say): Promise<Report> {
  const page = largePage()
  const place = { base: '', path: '/' }
  const render = () => renderHome(page, place)
  const text = render()
  const parts = text.split(/(?=<)/)
  say(`${parts.length} parts`)
  const rendered = time(() => Buffer.from(render()))
  const joined = time(() => Buffer.from(parts.join('')))
  const compressed = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length
  return {
    how: [
      `A page of 1,000 items with 90 days each and 100 incidents is rendered ${ROUNDS} times; the reference joins its ${parts.length} parts. Medians.`,
    ],
    figures: [
      { name: 'rendering', value: rendered, unit: 'ms' },
      { name: 'joining the parts', value: joined, unit: 'ms' },
      { name: 'rendering / joining', value: rendered / joined, unit: '', target: { atMost: 3 } },
      { name: 'compressed by br', value: compressed / 1024, unit: 'KB', target: { under: 400 } },
    ],
  }
}

import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { Outcome } from '../domain/kernel/execute.ts'

interface Part {
  csv: string
  next_cursor?: string
}

/** Answers with a text, read part by part while the client takes it. A failure of the first part is an answer as any other. */
export async function answerText(ctx: Context, type: string, read: () => Promise<Outcome>): Promise<void> {
  const first = (await read()).output as Part
  async function* parts() {
    for (let part = first; ; part = (await read()).output as Part) {
      yield part.csv
      if (part.next_cursor === undefined) return
      ctx.query = { ...ctx.query, cursor: part.next_cursor }
    }
  }
  ctx.status = 200
  ctx.type = `${type}; charset=utf-8`
  ctx.set('Content-Disposition', `attachment; filename="${ctx.path.split('/').at(-2)}.csv"`)
  // A text that ends too early must not look complete.
  ctx.body = Readable.from(parts()).on('error', () => ctx.res.destroy())
}

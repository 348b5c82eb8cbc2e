import type { Context } from 'koa'
import type { PageRef } from '../domain/kernel/context.ts'
import type { Outcome } from '../domain/kernel/execute.ts'
import type { ApiState } from '../web/state.ts'
import type { ApiDeps } from './deps.ts'

export type Wait = (deps: ApiDeps, ctx: Context & { state: ApiState }, page: PageRef, outcome: Outcome) => Promise<void>

export function later(ctx: Context, location: string): void {
  ctx.status = 202
  ctx.set('Location', location)
}

export const callOf = (ctx: Context & { state: ApiState }, page: PageRef) => ({
  page,
  actor: ctx.state.caller!.actor,
  requestId: ctx.state.requestId,
})

import type { z } from 'zod'
import type { Actor, PageRef } from '../kernel/context.ts'
import type { AnyOperation, SubjectRef } from '../kernel/operation.ts'
import type { RecordSlot, Slots } from './language/types.ts'

/** The access of an answer to the page: operations with the permissions of the token that asked. */
export interface ResponseContext {
  page: PageRef
  actor: Actor
  now: Date
  zone: string
  /** Runs a reading operation. */
  read<O extends AnyOperation>(
    operation: O,
    call?: { input?: Record<string, unknown>; ref?: SubjectRef },
  ): Promise<z.output<O['output']>>
}

export interface DraftStep {
  operation: AnyOperation
  /** With `id` for the record that the operation changes. */
  input: Record<string, unknown>
  /** In words; by default made from the operation and its input. */
  effect?: string
}

export interface Question {
  /** The name of a slot. */
  key: string
  prompt: string
  kind: 'text' | 'choice' | 'date' | 'datetime' | 'duration' | 'status' | 'item' | 'items' | 'record'
  options?: { value: string; label: string }[]
  required: boolean
}

interface ReplyText {
  title: string
  summary: string
  /** What later turns of the thread may refer to, newest first. */
  records: RecordSlot[]
}

export interface TextReply extends ReplyText {
  outcome: 'answered' | 'not_understood' | 'not_permitted'
  markdown: string
  sources?: Record<string, unknown>[]
}

export interface PlanReply extends ReplyText {
  outcome: 'plan'
  steps: DraftStep[]
  questions: Question[]
  /** Sentences for the user in addition to the plan. */
  notes?: string[]
}

export type Reply = TextReply | PlanReply

export type Response = (ctx: ResponseContext, slots: Slots) => Promise<Reply>

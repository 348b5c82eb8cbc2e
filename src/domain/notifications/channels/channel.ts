import type { AttemptRow } from '../../../persistence/entities/delivery.ts'
import type { Content, NotificationEvent } from '../../../persistence/entities/notification-event.ts'
import type { Services } from '../../kernel/services.ts'
import type { Settings } from '../../settings/schema.ts'

/** The part of a notification that messages are written from. */
export type EventFacts = Pick<
  NotificationEvent,
  'id' | 'key' | 'subject_kind' | 'subject_id' | 'due_at' | 'created_at' | 'late' | 'missed' | 'data'
>

export interface Recipient {
  /** As compared: in lower case, or a URL. */
  address: string
  /** As the subscriber wrote it. */
  shown_address: string
  /** Null without a subscriber, such as a recipient that the settings name. */
  subscriber_id: number | null
  locale: string
  time_zone: string
  /** A webhook is signed with these, the current one first. */
  secrets: string[]
  /** What lets this recipient act, which no one else may read: links of a subscriber, or the code for a view. */
  links: { manage?: string; unsubscribe?: string; confirm?: string; code?: string }
}

/** One message to one recipient. A daily mail has several notifications, all others exactly one. */
export interface Message {
  /** Stable for every attempt, also after a retry by hand: receivers recognize a message that arrives twice. */
  id: string
  page_id: number
  notifications: { event: EventFacts; content: Content }[]
  recipient: Recipient
  settings: Settings
}

/** What an attempt saw. */
type Seen = Pick<AttemptRow, 'status_code' | 'smtp_code' | 'answer'>

export type Outcome = Seen &
  (
    | { result: 'sent' }
    /** Worth another attempt. `after_ms` is what the receiver asks for. */
    | { result: 'later'; after_ms?: number }
    /** Refused for good. `subscriber` is what becomes of the subscriber. */
    | { result: 'refused'; subscriber?: 'bounced' | 'disabled' }
    /** Not to be sent, and why. */
    | { result: 'withheld'; reason: string }
  )

/** A message as admins read it. */
export interface Rendered {
  subject?: string
  text?: string
  html?: string
  headers?: Record<string, string>
  body?: unknown
}

export interface Sender {
  /** Resolves within 15 s, whatever the receiver does. Rejects only after a bug. */
  send(message: Message): Promise<Outcome>
  close(): Promise<void>
}

/** A way to reach recipients: one folder, and its line in `index.ts`. */
export interface Channel {
  /** Milliseconds before each further attempt, from the attempt before. After the last one the delivery is dead. */
  delays: readonly number[]
  render(message: Message): Rendered
  /** Connections to receivers, which the sender keeps. */
  open(services: SenderServices): Sender
}

export type SenderServices = Pick<Services, 'app' | 'beatTargets' | 'ownPorts' | 'keyring' | 'logger' | 'clock'>

/** What a mail says, from which both its HTML and its plain text are written. */
export type Block =
  | { kind: 'heading'; text: string; url?: string | undefined }
  | { kind: 'status'; text: string; tone: Tone }
  | { kind: 'facts'; rows: [label: string, value: string][] }
  /** A text of the service, with marks around names. */
  | { kind: 'prose'; text: string }
  /** A text of a user, in Markdown. */
  | { kind: 'markdown'; text: string }
  | { kind: 'items'; label: string; names: string[] }
  | { kind: 'note'; text: string }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'link'; label: string; url: string }

export type Tone = 'good' | 'bad' | 'planned' | 'neutral'

export interface Brand {
  title: string
  /** Of the page. */
  url: string | undefined
  logo: string | undefined
  logo_dark: string | undefined
  color: string
  color_dark: string
}

export interface Mail {
  language: string
  direction: 'ltr' | 'rtl'
  subject: string
  /** What a list of mails shows behind the subject. */
  preview: string
  brand: Brand
  /** Each part is about one notification, but the last one of a daily mail. */
  parts: Block[][]
  /** The notes have marks around names. */
  footer: { notes: string[]; links: { label: string; url: string }[] }
}

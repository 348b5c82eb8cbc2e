/** A feed before the choice of a format. All addresses are absolute, all moments in ISO form. */
export interface FeedDocument {
  id: string
  title: string
  description: string
  /** The name of the author of all entries. */
  author: string
  language: string
  /** The address of the feed. */
  self: string
  /** The address of the HTML document about the same. */
  alternate: string
  updated: string
  entries: FeedDocumentEntry[]
}

interface FeedDocumentEntry {
  id: string
  title: string
  link: string
  published: string
  updated: string
  /** HTML. */
  content: string
  category: string
}

/** Characters that XML 1.0 forbids in every form. Half of a surrogate pair is one of them. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** A document without these characters. All else is escaped by the template `html`, whose entities XML knows too. */
export const withoutForbidden = (document: string): string => document.replace(FORBIDDEN, '')

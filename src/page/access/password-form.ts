import type { Labels } from '../../languages/labels.ts'
import type { Branded } from '../branding.ts'
import { html, type Markup } from '../markup.ts'
import { smallDocument } from '../small-document.ts'

interface Form {
  branded: Branded
  /** The address of the page, which checks the password. */
  action: string
  /** The path that the reader asked for. */
  path: string
  labels: Labels
  languages: Markup | undefined
  isWrong?: boolean
}

/** The form that asks a reader for the password of a page. */
export function renderPasswordForm({ branded, action, path, labels, languages, isWrong = false }: Form): string {
  const { header, style, theme, icon } = branded
  const title = labels.text('page.password.title')
  const body = html`${header}
    <main>
      <h1>${title}</h1>
      ${isWrong && html`<p class="card message bad" role="alert" id="wrong">${labels.text('page.password.wrong')}</p>`}
      <div class="card page">
        <form method="post" action="${action}">
          <input type="hidden" name="path" value="${path}">
          <label class="over">${labels.text('page.password.label')}<input type="password" name="password" required
            autofocus maxlength="200" autocomplete="current-password"${isWrong && html` aria-invalid="true" aria-describedby="wrong"`}></label>
          <button>${labels.text('page.password.button')}</button>
        </form>
      </div>
    </main>
    ${languages && html`<footer>${languages}</footer>`}`
  return smallDocument({ title: `${title}: ${branded.title}`, style, theme, icon, body, language: labels.language })
}

import type { Labels } from '../../languages/labels.ts'
import type { Branded } from '../branding.ts'
import { html } from '../markup.ts'
import { smallDocument } from '../small-document.ts'

interface Form {
  branded: Branded
  /** Of the view. */
  name: string
  action: string
  labels: Labels
  /** The address to which a code was sent. */
  email?: string
  isWrong?: boolean
}

/** The form that asks for an email address, then for the code that the address gets. */
export function renderViewForm({
  branded: { title, header, style, theme, icon },
  name,
  action,
  labels: { text, language },
  email,
  isWrong = false,
}: Form): string {
  const wrong = isWrong && html` aria-invalid="true" aria-describedby="wrong"`
  const asking = html`<form method="post" action="${action}">
      <p>${text('page.view.hint')}</p>
      <label class="over">${text('page.view.email')}<input type="email" name="email" required autofocus
        maxlength="254" autocomplete="email"${wrong}></label>
      <button>${text('page.view.send')}</button>
    </form>`
  const proving = html`<form method="post" action="${action}">
      <p role="status">${text('page.view.sent', { email: email ?? '' })}</p>
      <input type="hidden" name="email" value="${email}">
      <label class="over">${text('page.view.code')}<input type="text" name="code" required autofocus inputmode="numeric"
        pattern="[0-9 ]{6,7}" maxlength="7" autocomplete="one-time-code"${wrong}></label>
      <button>${text('page.view.open')}</button>
    </form>
    <p><a href="${action}">${text('page.view.other')}</a></p>`
  const body = html`${header}
    <main>
      <h1><bdi>${name}</bdi></h1>
      <p>${text('page.view.title')}</p>
      ${isWrong && email !== undefined && html`<p class="card message bad" role="alert" id="wrong">${text('page.view.wrong')}</p>`}
      <div class="card page">${email === undefined ? asking : proving}</div>
    </main>`
  return smallDocument({ title: `${name}: ${title}`, style, theme, icon, body, language })
}

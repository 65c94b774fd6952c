import { useEffect } from 'react'

const place = () => document.getElementById('root')

/** The fields of the HTML that came with the page in which somebody has typed by the time the app is there. */
const typedIn = new Set<HTMLInputElement>()

function remember({ target }: { target: EventTarget | null }) {
  if (target instanceof HTMLInputElement && target.type !== 'checkbox' && target.type !== 'radio') typedIn.add(target)
}

/** To be called before React goes on with the HTML: it takes fields to hold what the server drew, and leaves them as they are. */
export function watchTyping(): void {
  for (const target of place()?.querySelectorAll('input') ?? []) if (target.value !== target.defaultValue) remember({ target })
  place()?.addEventListener('input', remember)
}

/** React marks what it has gone on with, and has no other word for it. It does so part by part, as their code and its time allow. */
const isTaken = (element: Element) => Object.keys(element).some((key) => key.startsWith('__react'))

const [pause, mostPauses] = [20, 150]

/** Where the page came as HTML: waits until every control of it is the app's. From then on they do what they say. */
export function TakeOver() {
  useEffect(() => {
    if (!place()?.hasAttribute('data-ahead')) return
    let timer: ReturnType<typeof setTimeout>
    let pauses = 0
    const look = () => {
      const controls = [...(place()?.querySelectorAll('button, input') ?? [])]
      if (controls.every(isTaken) || pauses++ > mostPauses) takeOver()
      else timer = setTimeout(look, pause)
    }
    // Not at once: what is told to React while it is at work may be lost.
    timer = setTimeout(look)
    return () => clearTimeout(timer)
  }, [])
  return null
}

function takeOver(): void {
  const root = place()
  root?.removeEventListener('input', remember)
  root?.removeAttribute('data-ahead')
  // See server/app/first-html.ts.
  for (const button of root?.querySelectorAll<HTMLButtonElement>('[data-submit]') ?? []) {
    button.type = 'submit'
    button.removeAttribute('data-submit')
  }
  // Nobody has told the app where the focus is.
  const active = document.activeElement
  if (active && root?.contains(active)) active.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  for (const field of typedIn) typeAgain(field)
  typedIn.clear()
}

/** The form hears of it. React tells a change by what it last saw in the field: first nothing, then this. */
function typeAgain(field: HTMLInputElement): void {
  const { value, selectionStart, selectionEnd } = field
  field.value = ''
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
  // An email's field has none.
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

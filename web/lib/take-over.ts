// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useEffect } from 'react'

const place = () => document.getElementById('root')

/** Whether the page came as HTML and the app has not gone on with it yet. */
export const isAhead = (): boolean => typeof document !== 'undefined' && place()?.hasAttribute('data-ahead') === true

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

/** Parts that wait until they are seen: see `when-seen.tsx`. */
const isLater = (element: Element) => element.closest('[data-later]') !== null

/** Where the page came as HTML: waits until every control of it is the app's. From then on they do what they say. */
export function TakeOver() {
  useEffect(() => {
    if (!isAhead()) return
    let timer: ReturnType<typeof setTimeout>
    let pauses = 0
    const look = () => {
      // The heading, for a screen may have no controls.
      const controls = [...(place()?.querySelectorAll('h1, button, input') ?? [])]
      if (controls.every((control) => isTaken(control) || isLater(control)) || pauses++ > mostPauses) takeOver()
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
  if (root) restoreSubmit(root)
  // Nobody has told the app where the focus is.
  const active = document.activeElement
  if (active && root?.contains(active)) active.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  for (const field of typedIn) typeAgain(field)
  typedIn.clear()
}

/** Buttons that send a form do so again, now that the app hears of it: see server/app/first-html.ts. */
export function restoreSubmit(within: Element): void {
  for (const button of within.querySelectorAll<HTMLButtonElement>('[data-submit]')) {
    if (!isTaken(button)) continue
    button.type = 'submit'
    button.removeAttribute('data-submit')
  }
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

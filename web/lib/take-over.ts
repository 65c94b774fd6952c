// Constant or rarely rendered: React Compiler's memo code would only grow the initial bundle.
'use no memo'

import { useEffect } from 'react'

const place = () => document.getElementById('root')

/** Whether the page came as HTML and hydration hasn't finished. */
export const isAhead = (): boolean => typeof document !== 'undefined' && place()?.hasAttribute('data-ahead') === true

/** Fields of the server's HTML that were edited before hydration. */
const typedIn = new Set<HTMLInputElement>()

function remember({ target }: { target: EventTarget | null }) {
  if (target instanceof HTMLInputElement && target.type !== 'checkbox' && target.type !== 'radio') typedIn.add(target)
}

/**
 * Call before hydration, so that these listeners run before React's. React assumes that fields contain what the server rendered and leaves
 * them as they are.
 */
export function prepareTakeOver(): void {
  for (const target of place()?.querySelectorAll('input') ?? []) if (target.value !== target.defaultValue) remember({ target })
  place()?.addEventListener('input', remember)
  place()?.addEventListener('click', leaveToBrowser, { capture: true })
}

/** React may lose a navigation that starts while it hydrates, so until then the browser follows links itself. */
function leaveToBrowser(event: Event): void {
  if (event.target instanceof Element && event.target.closest('a[href]')) event.stopImmediatePropagation()
}

/** Detects hydration by React's internal markers, since there is no API for it. Parts hydrate one by one, as code and time allow. */
const isTaken = (element: Element) => Object.keys(element).some((key) => key.startsWith('__react'))

const [pause, maxPauses] = [20, 150]

/** Parts that hydrate when they become visible: see `when-seen.tsx`. */
const isLater = (element: Element) => element.closest('[data-later]') !== null

/** If the page came as HTML, waits until hydration has reached every control. From then on they work. */
export function TakeOver() {
  useEffect(() => {
    if (!isAhead()) return
    let timer: ReturnType<typeof setTimeout>
    let pauses = 0
    const look = () => {
      // Includes the heading, because a screen may have no controls.
      const controls = [...(place()?.querySelectorAll('h1, button, input') ?? [])]
      if (controls.every((control) => isTaken(control) || isLater(control)) || pauses++ > maxPauses) takeOver()
      else timer = setTimeout(look, pause)
    }
    // Deferred, because React may lose updates dispatched while it hydrates.
    timer = setTimeout(look)
    return () => clearTimeout(timer)
  }, [])
  return null
}

function takeOver(): void {
  const root = place()
  root?.removeEventListener('input', remember)
  root?.removeEventListener('click', leaveToBrowser, { capture: true })
  root?.removeAttribute('data-ahead')
  if (root) restoreSubmit(root)
  // The app doesn't know yet what has focus.
  const active = document.activeElement
  if (active && root?.contains(active)) active.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  for (const field of typedIn) typeAgain(field)
  typedIn.clear()
}

/** Turns form buttons back into submit buttons, now that the app handles them: see server/app/first-html.ts. */
export function restoreSubmit(within: Element): void {
  for (const button of within.querySelectorAll<HTMLButtonElement>('[data-submit]')) {
    if (!isTaken(button)) continue
    button.type = 'submit'
    button.removeAttribute('data-submit')
  }
}

/** Notifies the form. React detects a change by the last value it saw: first empty, then this one. */
function typeAgain(field: HTMLInputElement): void {
  const { value, selectionStart, selectionEnd } = field
  field.value = ''
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
  // Null for email fields, which don't support selection.
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

import { flushSync } from 'react-dom'
import { onceStill } from './use-held-still.ts'

/** A control that is marked invalid, or a group of controls with an error: of the latter only radio buttons can be marked themselves. */
const wrong = '[aria-invalid="true"], fieldset[aria-describedby$="-error"]'

/** Moves the focus to the first control that is wrong, in the order of the page. */
function focusFirstError(form: HTMLElement): void {
  const invalid = form.querySelector<HTMLElement>(wrong)
  const isGroup = invalid?.matches('fieldset, [role="radiogroup"]')
  const target = isGroup ? invalid?.querySelector<HTMLElement>('input, button') : invalid
  target?.focus()
  // The error of a group stands between its legend and its first control.
  const top = isGroup ? invalid?.querySelector('legend') : target
  top?.scrollIntoView({ block: 'nearest' })
}

/**
 * Shows what is wrong with a form that was sent, and moves the focus to the first of it. `show` sets the state by which the errors are
 * rendered. A field shows its error only when the press that sent the form is over (see `useHeldStill`), and has nothing to lead to before.
 */
export function showErrors(form: HTMLElement | null, show: () => void): void {
  flushSync(show)
  onceStill(() => form && focusFirstError(form))
}

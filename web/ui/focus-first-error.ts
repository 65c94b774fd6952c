/** Moves the focus to the first control marked invalid, in the order of the page. Call it after the errors are rendered. */
export function focusFirstError(form: HTMLElement): void {
  const invalid = form.querySelector<HTMLElement>('[aria-invalid="true"]')
  const isGroup = invalid?.matches('fieldset, [role="radiogroup"]')
  const target = isGroup ? invalid?.querySelector<HTMLElement>('input') : invalid
  target?.focus()
  // The error of a group stands between its legend and its first control.
  const top = isGroup ? invalid?.querySelector('legend') : target
  top?.scrollIntoView({ block: 'nearest' })
}

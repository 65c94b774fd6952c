/** Moves the focus to the first control marked invalid, in the order of the page. Call it after the errors are rendered. */
export function focusFirstError(form: HTMLElement): void {
  const invalid = form.querySelector<HTMLElement>('[aria-invalid="true"]')
  const target = invalid?.matches('fieldset, [role="radiogroup"]') ? invalid.querySelector<HTMLElement>('input') : invalid
  target?.focus()
  target?.scrollIntoView({ block: 'nearest' })
}

/**
 * Trims what a search form sends, and doesn't send empty text. If the form is in a popover, focuses the field when that opens. The app
 * passes this as a ref; static pages call it once.
 */
export function connectSearchForm(form: HTMLFormElement | null): (() => void) | undefined {
  if (!form) return undefined
  const field = form.querySelector('input')
  const popover = form.closest<HTMLElement>('[popover]')
  const send = (event: Event) => {
    if (!field) return
    field.value = field.value.trim()
    if (!field.value) event.preventDefault()
  }
  const focus = (event: Event) => {
    if ((event as ToggleEvent).newState === 'open') field?.focus()
  }
  form.addEventListener('submit', send)
  popover?.addEventListener('toggle', focus)
  return () => {
    form.removeEventListener('submit', send)
    popover?.removeEventListener('toggle', focus)
  }
}

/**
 * Disables the age gate's button until someone checks the box. Without scripts, the browser requires the box on submit. The app passes this
 * as a ref; static pages call it once.
 */
export function connectAgeGate(form: HTMLFormElement | null): (() => void) | undefined {
  if (!form) return undefined
  const box = form.querySelector<HTMLInputElement>('input[type=checkbox]')
  const button = form.querySelector('button')
  const update = () => {
    if (box && button) button.disabled = !box.checked
  }
  update()
  form.addEventListener('change', update)
  // Going back to the page restores the box without a `change` event.
  window.addEventListener('pageshow', update)
  return () => {
    form.removeEventListener('change', update)
    window.removeEventListener('pageshow', update)
  }
}

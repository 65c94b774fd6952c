/**
 * Behavior of a dialog with a form; spread on the content. Focuses the first field of an empty form; a filled-in one is meant to be read
 * first. Outside presses don't close it, and Escape closes an open suggestion list before the dialog.
 */
export const formDialog = (isEmpty: boolean) => ({
  onOpenAutoFocus: (event: Event) => {
    const field = isEmpty && (event.currentTarget as HTMLElement | null)?.querySelector<HTMLElement>('input, select, textarea')
    if (!field) return
    event.preventDefault()
    field.focus()
  },
  onPointerDownOutside: (event: Event) => event.preventDefault(),
  onEscapeKeyDown: (event: Event) => {
    if (document.activeElement?.getAttribute('aria-expanded') === 'true') event.preventDefault()
  },
})

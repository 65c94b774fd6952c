/**
 * How a dialog with a form behaves; spread it on the content. An empty form takes the focus to its first field instead of the cross, one that
 * is filled in is to be read first. A press beside it closes nothing, and Escape closes an open list of suggestions before the dialog.
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

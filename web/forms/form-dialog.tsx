import { Button } from '#web/ui/button.tsx'

type DialogActionsProps = {
  onCancel: () => void
  submitText: string
  pending: boolean
  pendingText?: string
}

/** The buttons of a long form, which stay in view while it scrolls. */
export const DialogActions = ({ onCancel, submitText, pending, pendingText = 'Saving...' }: DialogActionsProps) => (
  <div className="sticky -bottom-5 z-5 -mx-5 -mb-5 grid grid-cols-2 gap-2 border-line border-t bg-raised px-5 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))] sm:-mx-6 sm:flex sm:justify-end sm:rounded-b-card sm:px-6">
    <Button variant="secondary" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" pending={pending} pendingText={pendingText}>
      {submitText}
    </Button>
  </div>
)

/** The way out when someone else has edited the same record: pass it as the `action` of a `FormError`. */
export const LoadLatest = ({ onLoad }: { onLoad: () => void }) => (
  <Button variant="secondary" size="sm" onClick={onLoad}>
    Load the latest version
  </Button>
)

/**
 * For the content of a dialog with a form. An empty form starts with focus in its first field; a filled-in one doesn't, because people read
 * it first. Pressing outside doesn't close the dialog.
 */
export const formDialog = (isEmpty: boolean) => ({
  onOpenAutoFocus: (event: Event) => {
    const field = isEmpty && (event.currentTarget as HTMLElement | null)?.querySelector<HTMLElement>('input, select, textarea')
    if (!field) return
    event.preventDefault()
    field.focus()
  },
  onPointerDownOutside: (event: Event) => event.preventDefault(),
})

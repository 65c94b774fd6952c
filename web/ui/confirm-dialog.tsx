import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogCancel, DialogContent } from './dialog.tsx'

type ConfirmDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The question, naming the thing: "Delete “Summer harvest”?" */
  title: string
  /** What is lost, in one or two sentences. */
  children: ReactNode
  /** The verb of the question: "Delete post". */
  confirmText: string
  onConfirm: () => void
  pending?: boolean | undefined
  pendingText?: string | undefined
}

/** Asks before what cannot be undone, and only then: everything else happens at once and offers an undo. */
export function ConfirmDialog({ open, onOpenChange, title, children, confirmText, onConfirm, pending, pendingText }: ConfirmDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        role="alertdialog"
        title={title}
        onPointerDownOutside={(event) => event.preventDefault()}
        actions={
          <>
            <DialogCancel />
            <Button variant="danger" onClick={onConfirm} pending={pending} pendingText={pendingText}>
              {confirmText}
            </Button>
          </>
        }
      >
        <div className="text-muted">{children}</div>
      </DialogContent>
    </Dialog>
  )
}

import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { useBlockPerson } from './use-block-person.ts'

type BlockPersonDialogProps = {
  person: { id: string; name: string }
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Explains what blocking does before it happens. */
export function BlockPersonDialog({ person, open, onOpenChange }: BlockPersonDialogProps) {
  const { setBlocked } = useBlockPerson(person)
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Block ${person.name}?`}
      confirmText="Block"
      onConfirm={() => {
        onOpenChange(false)
        setBlocked(true)
      }}
    >
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>You won’t see each other’s profiles, posts, comments or reviews.</li>
        <li>You’ll unfollow each other. Unblocking doesn’t restore that.</li>
        <li>No one is notified. You can unblock them at any time in your list of blocked people.</li>
      </ul>
    </ConfirmDialog>
  )
}

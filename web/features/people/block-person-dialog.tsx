import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useBlockPerson } from './use-block-person.ts'

type BlockPersonDialogProps = {
  person: { id: string; name: string }
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Says what a block means before it is made. */
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
        <li>Neither of you sees the other’s profile, posts, comments and reviews any more.</li>
        <li>You no longer follow each other. Ending the block later does not bring that back.</li>
        <li>Nobody is told. You can end it at any time in the list of those you blocked.</li>
      </ul>
    </ConfirmDialog>
  )
}

import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { type Named, useBlockForBusiness } from './block-business.ts'

type BlockForBusinessDialogProps = { business: Named; person: Named; open: boolean; onOpenChange: (open: boolean) => void }

export function BlockForBusinessDialog({ business, person, open, onOpenChange }: BlockForBusinessDialogProps) {
  const { setBlocked } = useBlockForBusiness(business, person)
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Block ${person.name} from ${business.name}?`}
      confirmText="Block"
      onConfirm={() => {
        onOpenChange(false)
        setBlocked(true)
      }}
    >
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>They can’t message {business.name}, comment on its posts, follow it or subscribe to it.</li>
        <li>If they’re subscribed, their subscription and its payments will end. Unblocking doesn’t restore it.</li>
        <li>Their existing content remains, and they can still review {business.name}. You can report a review that breaks the rules.</li>
        <li>They aren’t notified. The owner and managers can unblock them under Team.</li>
      </ul>
    </ConfirmDialog>
  )
}

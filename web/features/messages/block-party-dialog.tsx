import type { Conversation } from '../../../contracts/messages.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { BlockForBusinessDialog } from '../businesses/block-for-business-dialog.tsx'
import { useBlockBusiness } from '../businesses/use-block-business.ts'
import { BlockPersonDialog } from '../people/block-person-dialog.tsx'
import type { ReportedWriter } from '../reports/reported-writer.ts'

type BlockPartyDialogProps = { conversation: Conversation; writer: ReportedWriter; open: boolean; onOpenChange: (open: boolean) => void }

/** Says what a block of whom one writes with means, before it is made. */
export function BlockPartyDialog({ conversation, writer, ...control }: BlockPartyDialogProps) {
  if (conversation.as.kind === 'business')
    return <BlockForBusinessDialog business={conversation.as.business} person={writer} {...control} />
  return writer.kind === 'person' ? (
    <BlockPersonDialog person={writer} {...control} />
  ) : (
    <BlockBusinessDialog business={writer} {...control} />
  )
}

function BlockBusinessDialog({
  business,
  open,
  onOpenChange,
}: Omit<BlockPartyDialogProps, 'writer' | 'conversation'> & { business: ReportedWriter }) {
  const { setBlocked } = useBlockBusiness(business)
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Block ${business.name}?`}
      confirmText="Block"
      onConfirm={() => {
        onOpenChange(false)
        setBlocked(true)
      }}
    >
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>It cannot write to you any more, nor you to it. What was written stays here.</li>
        <li>You no longer follow it, and a subscription to it ends. Ending the block later does not bring that back.</li>
        <li>It is not told. You can end the block at any time on its page.</li>
      </ul>
    </ConfirmDialog>
  )
}

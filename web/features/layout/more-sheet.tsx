import { type ReactElement, useRef, useState } from 'react'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '../../ui/dialog.tsx'
import { AccountPanel } from './account-panel.tsx'

/** The rest of the destinations on a phone: a sheet that rises from the bottom bar. */
export default function MoreSheet({ trigger }: { trigger: ReactElement }) {
  const [isOpen, setOpen] = useState(true)
  const hasFollowed = useRef(false)
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => {
        hasFollowed.current = false
        setOpen(open)
      }}
    >
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent title="More" onCloseAutoFocus={(event) => hasFollowed.current && event.preventDefault()}>
        <AccountPanel
          kind="more"
          Close={DialogClose}
          onFollow={() => {
            hasFollowed.current = true
          }}
        />
      </DialogContent>
    </Dialog>
  )
}

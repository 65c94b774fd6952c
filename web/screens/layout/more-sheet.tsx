import type { ReactElement } from 'react'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '#web/ui/dialog.tsx'
import { useMenuFocus } from '#web/ui/focus.ts'
import { AccountPanel } from './account-panel.tsx'

export default function MoreSheet({ trigger }: { trigger: ReactElement }) {
  const { root, content, onFollow } = useMenuFocus()
  return (
    <Dialog {...root}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent title="More" {...content}>
        <AccountPanel kind="more" Close={DialogClose} onFollow={onFollow} />
      </DialogContent>
    </Dialog>
  )
}

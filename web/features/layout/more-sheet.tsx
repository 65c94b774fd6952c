import type { ReactElement } from 'react'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '../../ui/dialog.tsx'
import { AccountPanel } from './account-panel.tsx'
import { useMenuFocus } from './use-menu-focus.ts'

/** The rest of the destinations on a phone: a sheet that rises from the bottom bar. */
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

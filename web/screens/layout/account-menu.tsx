import type { ReactElement } from 'react'
import type { AccountMenuKind } from '#web/ui/account-destinations.ts'
import { useMenuFocus } from '#web/ui/focus.ts'
import { Popover, PopoverClose, PopoverContent, PopoverTrigger } from '#web/ui/popover.tsx'
import { AccountPanel } from './account-panel.tsx'

export const TopAccountMenu = ({ trigger }: { trigger: ReactElement }) => <AccountMenu kind="top" trigger={trigger} />
export const SimpleAccountMenu = ({ trigger }: { trigger: ReactElement }) => <AccountMenu kind="simple" trigger={trigger} />

/** A popover rather than an ARIA menu, because it contains links and the theme switch, navigated with Tab. */
function AccountMenu({ kind, trigger }: { kind: AccountMenuKind; trigger: ReactElement }) {
  const { root, content, onFollow } = useMenuFocus()
  return (
    <Popover {...root}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent align="end" aria-label="Account" className="p-2" {...content}>
        <AccountPanel kind={kind} Close={PopoverClose} onFollow={onFollow} />
      </PopoverContent>
    </Popover>
  )
}

import type { ReactElement } from 'react'
import { Popover, PopoverClose, PopoverContent, PopoverTrigger } from '../../ui/popover.tsx'
import type { AccountMenuKind } from './account-destinations.ts'
import { AccountPanel } from './account-panel.tsx'
import { useMenuFocus } from './use-menu-focus.ts'

export const TopAccountMenu = ({ trigger }: { trigger: ReactElement }) => <AccountMenu kind="top" trigger={trigger} />
export const SimpleAccountMenu = ({ trigger }: { trigger: ReactElement }) => <AccountMenu kind="simple" trigger={trigger} />

/** A popover and not a menu in the sense of ARIA: it holds links and the theme switch, which the Tab key reaches in their order. */
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

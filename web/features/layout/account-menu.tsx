import { type ReactElement, useRef, useState } from 'react'
import { Popover, PopoverClose, PopoverContent, PopoverTrigger } from '../../ui/popover.tsx'
import { AccountPanel } from './account-panel.tsx'
import type { AccountMenuKind } from './destinations.ts'

export const TopAccountMenu = ({ trigger }: { trigger: ReactElement }) => <AccountMenu kind="top" trigger={trigger} />
export const SimpleAccountMenu = ({ trigger }: { trigger: ReactElement }) => <AccountMenu kind="simple" trigger={trigger} />

/** A popover and not a menu in the sense of ARIA: it holds links and the theme switch, which the Tab key reaches in their order. */
function AccountMenu({ kind, trigger }: { kind: AccountMenuKind; trigger: ReactElement }) {
  const [isOpen, setOpen] = useState(true)
  // Following a link moves the focus to the new screen; closing otherwise gives it back to the button.
  const hasFollowed = useRef(false)
  return (
    <Popover
      open={isOpen}
      onOpenChange={(open) => {
        hasFollowed.current = false
        setOpen(open)
      }}
    >
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent
        align="end"
        aria-label="Account"
        className="p-2"
        onCloseAutoFocus={(event) => hasFollowed.current && event.preventDefault()}
      >
        <AccountPanel
          kind={kind}
          Close={PopoverClose}
          onFollow={() => {
            hasFollowed.current = true
          }}
        />
      </PopoverContent>
    </Popover>
  )
}

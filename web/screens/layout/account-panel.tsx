import { Link } from '@tanstack/react-router'
import { LogOut, ShieldCheck, Signpost } from 'lucide-react'
import type { ComponentType, ReactElement } from 'react'
import { ownDisplayName } from '#contracts/people.rules.ts'
import { setGuideShape } from '#web/entities/guide/guide-store.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { signOutUrl } from '#web/lib/route-access.ts'
import { planWords } from '#web/lib/time-words.ts'
import { type AccountMenuKind, accountDestinations, contactSupport } from '#web/ui/account-destinations.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '#web/ui/dialog.tsx'
import { useMenuFocus } from '#web/ui/focus.ts'
import { Popover, PopoverClose, PopoverContent, PopoverTrigger } from '#web/ui/popover.tsx'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'

export const TopAccountMenu = ({ trigger }: { trigger: ReactElement }) => <AccountMenu kind="top" trigger={trigger} />
export const SimpleAccountMenu = ({ trigger }: { trigger: ReactElement }) => <AccountMenu kind="simple" trigger={trigger} />

/** Not an ARIA menu, because people use Tab to reach its links and theme switch. */
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

export function MoreSheet({ trigger }: { trigger: ReactElement }) {
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

const item =
  'flex min-h-10 w-full items-center gap-3 rounded-[0.5rem] px-3 py-1.5 text-[0.9375rem] transition-colors hover:bg-sunk aria-[current]:bg-leaf-soft pointer-coarse:min-h-12 [&_svg]:size-4.5 [&_svg]:shrink-0 [&_svg]:text-muted'

type AccountPanelProps = {
  kind: AccountMenuKind
  Close: ComponentType<{ asChild: true; children: ReactElement }>
  onFollow: () => void
}

function AccountPanel({ kind, Close, onFollow }: AccountPanelProps) {
  const user = useCurrentUser()
  if (!user) return null
  const name = ownDisplayName(user)
  const openGuide = () => {
    onFollow()
    setGuideShape('card')
  }
  return (
    <div className="grid gap-1">
      <div className="mb-1 flex items-center gap-3 border-line border-b px-3 pt-1.5 pb-3.5">
        <Avatar id={user.id} name={name} imageUrl={user.profileImageUrl} />
        <div className="min-w-0 flex-1">
          <p className="truncate font-semibold">{name}</p>
          <p className="truncate text-muted text-sm">{user.email}</p>
          {user.subscriptionTier && user.subscriptionEndsAt && (
            <p className="text-muted text-xs">{planWords(user.subscriptionTier, user.subscriptionEndsAt)}</p>
          )}
        </div>
        {user.subscriptionTier && <Badge variant="leaf">{user.subscriptionTier}</Badge>}
      </div>
      {accountDestinations[kind].map(({ label, Icon, link }) => (
        <Close key={label} asChild>
          <Link {...link} onClick={onFollow} className={item}>
            <Icon aria-hidden="true" />
            {label}
          </Link>
        </Close>
      ))}
      {user.role !== 'member' && (
        <Close asChild>
          <Link to="/admin" onClick={onFollow} className={item}>
            <ShieldCheck aria-hidden="true" />
            Moderation
          </Link>
        </Close>
      )}
      <Close asChild>
        <button type="button" onClick={openGuide} className={item}>
          <Signpost aria-hidden="true" />
          Guide
        </button>
      </Close>
      <Close asChild>
        <a href={contactSupport.href} className={item}>
          <contactSupport.Icon aria-hidden="true" />
          {contactSupport.label}
        </a>
      </Close>
      <div className="flex items-center justify-between gap-3 px-3 py-1.5 text-[0.9375rem]">
        Theme
        <ThemeSwitch />
      </div>
      <div className="mt-1 border-line border-t pt-2">
        <a href={signOutUrl} className={item}>
          <LogOut aria-hidden="true" />
          {kind === 'simple' ? 'Sign Out' : 'Sign out'}
        </a>
      </div>
    </div>
  )
}

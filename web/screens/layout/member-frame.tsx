import { Link } from '@tanstack/react-router'
import { PenLine } from 'lucide-react'
import { lazy } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { ownDisplayName } from '#contracts/people.rules.ts'
import { MessagesLink } from '#web/entities/messages/messages-link.tsx'
import { GuidePlace } from '#web/screens/guide/guide-place.tsx'
import { NotificationBell } from '#web/screens/notifications/notification-bell.tsx'
import { MemberSearch, PaletteKeys } from '#web/screens/search/member-search.tsx'
import type { AccountMenuKind } from '#web/ui/account-destinations.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { cx } from '#web/ui/cx.ts'
import { mainDestinations, simpleDestinations } from '#web/ui/destinations.ts'
import { LazyMenu } from '#web/ui/lazy-overlays.tsx'
import { navLink } from '#web/ui/link-styles.ts'
import { BottomBar as Bar } from './bottom-bar.tsx'
import { BrandLink, HeaderBar } from './header-bar.tsx'

/** Rendered over every member screen: the bottom bar and the guide. */
export function BottomBar() {
  return (
    <>
      <Bar />
      <GuidePlace />
    </>
  )
}

/** Header of the signed-in app. On phones, the bottom bar has its navigation. */
export function TopHeader({ user }: { user: CurrentUser }) {
  return (
    <HeaderBar>
      <Brand />
      <MainNav destinations={mainDestinations} />
      <MemberSearch user={user} />
      <div className="flex items-center gap-2 sm:gap-3 lg:ml-auto">
        <Link to="/create-post" className={buttonClass('primary', 'sm', 'max-md:hidden')}>
          <PenLine aria-hidden="true" />
          <span className="max-lg:sr-only">Post</span>
        </Link>
        <MessagesLink />
        <NotificationBell />
        <AccountButton user={user} kind="top" />
      </div>
    </HeaderBar>
  )
}

export function MemberSimpleHeader({ user }: { user: CurrentUser }) {
  return (
    <HeaderBar>
      <Brand />
      <MainNav destinations={simpleDestinations} className="ml-auto" />
      <MessagesLink className="max-md:ml-auto" />
      <NotificationBell />
      <AccountButton user={user} kind="simple" />
      <PaletteKeys user={user} />
    </HeaderBar>
  )
}

/** On the narrowest phones the brand shrinks to its icon to make room for buttons. */
const Brand = () => (
  <div className="max-[23rem]:[&_a>span]:sr-only">
    <BrandLink to="/" />
  </div>
)

function MainNav({ destinations, className = '' }: { destinations: typeof mainDestinations; className?: string }) {
  return (
    <nav aria-label="Main" className={`hidden gap-5 md:flex ${className}`}>
      {destinations.map(({ label, link }) => (
        <Link key={label} {...link} activeOptions={{ exact: true, includeSearch: false }} className={navLink}>
          {label}
        </Link>
      ))}
    </nav>
  )
}

const load = () => import('./account-menu.tsx')
const TopMenu = lazy(async () => ({ default: (await load()).TopAccountMenu }))
const SimpleMenu = lazy(async () => ({ default: (await load()).SimpleAccountMenu }))

type AccountButtonProps = { user: CurrentUser; kind: Exclude<AccountMenuKind, 'more'>; className?: string | undefined }

function AccountButton({ user, kind, className }: AccountButtonProps) {
  const name = ownDisplayName(user)
  return (
    <LazyMenu menu={kind === 'top' ? TopMenu : SimpleMenu} load={load} popup="dialog">
      <button type="button" className={cx('touch-target shrink-0 rounded-full', className)}>
        <Avatar id={user.id} name={name} imageUrl={user.profileImageUrl} />
        <span className="sr-only">Account: {name}</span>
      </button>
    </LazyMenu>
  )
}

// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { Link } from '@tanstack/react-router'
import { PenLine } from 'lucide-react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { navLink } from '../../ui/link-styles.ts'
import { GuidePlace } from '../guide/guide-place.tsx'
import { MessagesLink } from '../messages/messages-link.tsx'
import { NotificationBell } from '../notifications/notification-bell.tsx'
import { MemberSearch, PaletteKeys } from '../search/member-search.tsx'
import { AccountButton } from './account-button.tsx'
import { BottomBar as Bar } from './bottom-bar.tsx'
import { mainDestinations, simpleDestinations } from './destinations.ts'
import { BrandLink, HeaderBar } from './header-bar.tsx'

/** What floats over every screen of members: the bar of phones, and the guide. */
export function BottomBar() {
  return (
    <>
      <Bar />
      <GuidePlace />
    </>
  )
}

/** The header of the signed-in app. On a phone its navigation is the bottom bar's. */
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

/** The header of public pages for those signed in. */
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

/** On the narrowest phones the name gives its place to what can be done. */
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

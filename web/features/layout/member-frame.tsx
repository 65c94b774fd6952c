import { Link, useNavigate } from '@tanstack/react-router'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { navLink } from '../../ui/link-styles.ts'
import { AccountButton } from './account-button.tsx'
import { mainDestinations, simpleDestinations } from './destinations.ts'
import { BrandLink, HeaderBar } from './header-bar.tsx'
import { HeaderSearch } from './header-search.tsx'

export { BottomBar } from './bottom-bar.tsx'

/** The header of the signed-in app. On a phone its navigation is the bottom bar's. */
export function TopHeader({ user }: { user: CurrentUser }) {
  const navigate = useNavigate()
  return (
    <HeaderBar>
      <BrandLink to="/" />
      <MainNav destinations={mainDestinations} />
      <HeaderSearch onSearch={(search) => navigate({ to: '/discover', search: { search } })} />
      <AccountButton user={user} kind="top" className="md:ml-auto" />
    </HeaderBar>
  )
}

/** The header of public pages for those signed in. */
export function MemberSimpleHeader({ user }: { user: CurrentUser }) {
  return (
    <HeaderBar>
      <BrandLink to="/" />
      <MainNav destinations={simpleDestinations} className="ml-auto" />
      <AccountButton user={user} kind="simple" className="max-md:ml-auto" />
    </HeaderBar>
  )
}

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

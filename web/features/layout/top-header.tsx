import { Link, useNavigate } from '@tanstack/react-router'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { navLink } from '../../ui/link-styles.ts'
import { AccountButton } from './account-button.tsx'
import { mainDestinations } from './destinations.ts'
import { BrandLink, HeaderBar } from './header-bar.tsx'
import { HeaderSearch } from './header-search.tsx'

/** The header of the signed-in app. On a phone its navigation is the bottom bar's. */
export function TopHeader({ user }: { user: CurrentUser }) {
  const navigate = useNavigate()
  return (
    <HeaderBar>
      <BrandLink />
      <nav aria-label="Main" className="hidden gap-5 md:flex">
        {mainDestinations.map(({ label, link }) => (
          <Link key={label} {...link} activeOptions={{ exact: true, includeSearch: false }} className={navLink}>
            {label}
          </Link>
        ))}
      </nav>
      <HeaderSearch onSearch={(search) => navigate({ to: '/discover', search: { search } })} />
      <AccountButton user={user} kind="top" className="md:ml-auto" />
    </HeaderBar>
  )
}

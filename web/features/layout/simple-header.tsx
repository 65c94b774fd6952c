import { Link } from '@tanstack/react-router'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { navLink } from '../../ui/link-styles.ts'
import { AccountButton } from './account-button.tsx'
import { signInUrl, simpleDestinations } from './destinations.ts'
import { BrandLink, HeaderBar } from './header-bar.tsx'

/** The header of public pages. */
export function SimpleHeader({ user }: { user: CurrentUser | null }) {
  return (
    <HeaderBar>
      <BrandLink />
      {user ? (
        <>
          <nav aria-label="Main" className="ml-auto hidden gap-5 md:flex">
            {simpleDestinations.map(({ label, link }) => (
              <Link key={label} {...link} activeOptions={{ exact: true, includeSearch: false }} className={navLink}>
                {label}
              </Link>
            ))}
          </nav>
          <AccountButton user={user} kind="simple" className="max-md:ml-auto" />
        </>
      ) : (
        <a href={signInUrl} className={buttonClass('secondary', 'md', 'ml-auto')}>
          Sign In
        </a>
      )}
    </HeaderBar>
  )
}

// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useNavigate } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button-class.ts'
import { BrandLink, HeaderBar } from './header-bar.tsx'
import { HeaderSearch } from './header-search.tsx'
import { searchUrl } from './search-text.ts'
import { signInUrl } from './server-urls.ts'

/** The header of the landing page. */
export function LandingHeader() {
  const navigate = useNavigate()
  return (
    <HeaderBar>
      <BrandLink to="/landing" />
      <HeaderSearch onSearch={(text) => navigate({ href: searchUrl(text) })} />
      <a href={signInUrl} className={buttonClass('secondary', 'md', 'md:ml-auto')}>
        Sign In
      </a>
    </HeaderBar>
  )
}

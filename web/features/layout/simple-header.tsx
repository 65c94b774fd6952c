// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { buttonClass } from '../../ui/button-class.ts'
import { BrandLink, HeaderBar } from './header-bar.tsx'
import { signInUrl } from './server-urls.ts'

/** The header of public pages for visitors. For those signed in see {@link file://./member-frame.tsx}. */
export function SimpleHeader() {
  return (
    <HeaderBar>
      <BrandLink to="/landing" />
      <a href={signInUrl} className={buttonClass('secondary', 'md', 'ml-auto')}>
        Sign In
      </a>
    </HeaderBar>
  )
}

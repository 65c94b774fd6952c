import { Search } from 'lucide-react'
import { signInUrl } from '#web/lib/route-access.ts'
import { IconButton } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Input } from '#web/ui/input.tsx'
import { connectSearchForm } from '#web/ui/search-form.ts'
import { BrandLink, HeaderBar } from './app-frame.tsx'

/** Must work without scripts, because the page is static. For members, see web/screens/search. */
export function LandingHeader() {
  return (
    <HeaderBar>
      <BrandLink to="/landing" />
      <IconButton label="Search" popoverTarget="header-search" className="ml-auto md:hidden">
        <Search />
      </IconButton>
      <search
        id="header-search"
        popover="auto"
        className="inset-auto top-16 left-0 m-0 w-full border-0 border-line border-b bg-ground px-4 py-3 text-ink md:static md:block md:w-auto md:min-w-0 md:max-w-md md:flex-1 md:overflow-visible md:border-0 md:bg-transparent md:p-0 [&_input]:text-ellipsis"
      >
        <form ref={connectSearchForm} action="/search" data-search-form="">
          <Input
            type="search"
            name="q"
            aria-label="Search"
            placeholder="Farms, dispensaries, cities"
            autoComplete="off"
            enterKeyHint="search"
            maxLength={120}
            start={<Search aria-hidden="true" />}
          />
        </form>
      </search>
      <a href={signInUrl} className={buttonClass('secondary', 'md', 'md:ml-auto')}>
        Sign In
      </a>
    </HeaderBar>
  )
}

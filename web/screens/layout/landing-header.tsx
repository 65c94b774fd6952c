// Constant or rarely rendered: React Compiler's memo code would only grow the initial bundle.
'use no memo'

import { useNavigate } from '@tanstack/react-router'
import { Search, X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { signInUrl } from '#web/lib/route-access.ts'
import { searchText, searchUrl } from '#web/lib/search-text.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Input } from '#web/ui/input.tsx'
import { BrandLink, HeaderBar } from './header-bar.tsx'

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

// Constant or rarely rendered: React Compiler's memo code would only grow the initial bundle.

type HeaderSearchProps = {
  onSearch: (text: string) => void
}

/** Search box of the landing header; behind a button on phones. Members have web/screens/search. */
function HeaderSearch({ onSearch }: HeaderSearchProps) {
  const [isOpen, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const opener = useRef<HTMLButtonElement>(null)

  // On phones the box can only be focused once it is visible.
  useEffect(() => {
    if (isOpen) input.current?.focus()
  }, [isOpen])

  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = searchText(input.current?.value)
    if (!text) return
    event.currentTarget.reset()
    if (isOpen) close()
    onSearch(text)
  }

  return (
    <>
      <IconButton
        ref={opener}
        label={isOpen ? 'Close search' : 'Search'}
        aria-expanded={isOpen}
        aria-controls="header-search"
        className="ml-auto md:hidden"
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        {isOpen ? <X /> : <Search />}
      </IconButton>
      <search
        id="header-search"
        className={cx(
          'inset-x-0 top-full border-line border-b bg-ground px-4 py-3 max-md:absolute md:min-w-0 md:max-w-md md:flex-1 md:border-0 md:bg-transparent md:p-0 [&_input]:text-ellipsis',
          !isOpen && 'max-md:hidden',
        )}
      >
        <form action="/search" onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && close()}>
          <Input
            ref={input}
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
    </>
  )
}

// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { Search, X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { cx } from '../../ui/cx.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { searchText } from './search-text.ts'

type HeaderSearchProps = {
  /** Gets the trimmed text; never called with an empty one. */
  onSearch: (text: string) => void
}

/** The search box of the landing header. On a phone it waits behind a button. For those signed in see web/features/search. */
export function HeaderSearch({ onSearch }: HeaderSearchProps) {
  const [isOpen, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const opener = useRef<HTMLButtonElement>(null)

  // On a phone the box can take the focus only once it is shown.
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

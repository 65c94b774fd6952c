// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type ComponentProps, type ComponentType, type FormEvent, lazy, Suspense, useRef, useState } from 'react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { searchText } from '../layout/search-text.ts'
import { withCommand } from './key-hint.tsx'
import { rememberSearch } from './recent-searches.ts'
import { type FieldKeys, type Suggesting, suggestionListId } from './suggesting.ts'
import { prefetchPalette, usePalette } from './use-palette.tsx'

const loadSuggestions = () => import('./field-suggestions.tsx')
/** Without its code, as when there is no network, the field is a field. */
type Suggestions = ComponentType<ComponentProps<Awaited<ReturnType<typeof loadSuggestions>>['default']>>
const FieldSuggestions = lazy<Suggestions>(() => loadSuggestions().catch(() => ({ default: () => null })))
const notSuggesting: Suggesting = { isShown: false, activeId: undefined }

/**
 * The search box of the signed-in header: what is sent goes to Discover. While one types, what is found everywhere stands below. On a phone
 * or a tablet it is a button that opens the palette, where Enter goes to Discover as well.
 */
export function MemberSearch({ user }: { user: CurrentUser }) {
  const navigate = useNavigate()
  const { open, palette } = usePalette(user)
  const keys = useRef<FieldKeys>(null)
  const [typed, setTyped] = useState('')
  const [isFocused, setFocused] = useState(false)
  const [suggesting, setSuggesting] = useState(notSuggesting)
  const text = searchText(typed)
  const leave = () => {
    setTyped('')
    setFocused(false)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!text) return
    rememberSearch(user.id, text)
    leave()
    void navigate({ to: '/discover', search: { search: text } })
  }

  return (
    <>
      <IconButton
        label="Search"
        aria-haspopup="dialog"
        className="ml-auto lg:hidden"
        onPointerEnter={prefetchPalette}
        onClick={() => open({ enter: 'places' })}
      >
        <Search />
      </IconButton>
      <search className="group relative min-w-0 max-w-md flex-1 max-lg:hidden [&_input]:text-ellipsis">
        <form action="/discover" onSubmit={submit}>
          <Input
            type="text"
            name="search"
            role="combobox"
            aria-label="Search"
            aria-autocomplete="list"
            aria-expanded={suggesting.isShown}
            aria-controls={suggesting.isShown ? suggestionListId : undefined}
            aria-activedescendant={suggesting.isShown ? suggesting.activeId : undefined}
            placeholder="Farms, dispensaries, cities"
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="search"
            maxLength={120}
            value={typed}
            onPointerEnter={() => void loadSuggestions().catch(() => undefined)}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            onChange={(event) => {
              setTyped(event.target.value)
              setFocused(true)
            }}
            onKeyDown={(event) => {
              if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey) {
                event.preventDefault()
                open({ enter: 'hit', initialText: typed })
              } else if (event.key === 'Escape' && !suggesting.isShown) setTyped('')
              else if (event.key === 'ArrowDown' && !isFocused) setFocused(true)
              else keys.current?.(event)
            }}
            start={<Search aria-hidden="true" />}
            end={
              <button
                type="button"
                tabIndex={-1}
                aria-keyshortcuts="Meta+K Control+K /"
                className="mr-1.5 rounded-tag border border-line px-1.75 text-xs/5 transition-colors hover:border-edge hover:text-ink group-focus-within:hidden pointer-coarse:hidden"
                onPointerEnter={prefetchPalette}
                onClick={() => open({ enter: 'hit' })}
              >
                <span className="sr-only">Search everything, </span>
                {withCommand('K')}
              </button>
            }
          />
        </form>
        {isFocused && text && (
          <Suspense>
            <FieldSuggestions
              user={user}
              text={text}
              keys={keys}
              onState={setSuggesting}
              onGone={leave}
              onClose={() => setFocused(false)}
            />
          </Suspense>
        )}
      </search>
      {palette}
    </>
  )
}

/** Where a header has no search box, the keys still open the palette. */
export const PaletteKeys = ({ user }: { user: CurrentUser }) => usePalette(user).palette

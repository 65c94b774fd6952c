import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import {
  type ComponentProps,
  type ComponentType,
  type FormEvent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { isTyping } from '#web/lib/shortcut-keys.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { onFirstUse } from '#web/ui/when-seen.tsx'
import type Palette from './palette.tsx'
import { forgetSearches, forgetSearchesExceptOf, rememberSearch } from './recent-searches.ts'
import { type FieldKeys, type Suggesting, slashKey, suggestionListId, withCommand } from './search-keys.tsx'

const loadSuggestions = () => import('./field-suggestions.tsx')
type Suggestions = ComponentType<ComponentProps<Awaited<ReturnType<typeof loadSuggestions>>['default']>>
/** If the chunk fails to load, for example offline, the field works without suggestions. */
const FieldSuggestions = lazy<Suggestions>(() => loadSuggestions().catch(() => ({ default: () => null })))
const notSuggesting: Suggesting = { isShown: false, activeId: undefined }

/**
 * Suggests results, and submits to Discover. On phones and tablets, a button opens the palette instead, where Enter also leads to Discover.
 */
export function MemberSearch({ user }: { user: CurrentUser }) {
  const navigate = useNavigate()
  const { open, palette } = usePalette(user)
  const keys = useRef<FieldKeys>(null)
  const [typed, setTyped] = useState('')
  const [isFocused, setFocused] = useState(false)
  const [suggesting, setSuggesting] = useState(notSuggesting)
  const text = typed.trim() || null
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

/** For headers without a search box. */
export const PaletteKeys = ({ user }: { user: CurrentUser }) => usePalette(user).palette

type Opening = Pick<ComponentProps<typeof Palette>, 'enter' | 'initialText' | 'takeTyped'>

const load = () => import('./palette.tsx')
/** If this fails, opening the palette retries. */
const prefetchPalette = (): void => void load().catch(() => undefined)

/** ⌘K, Ctrl+K and, unless it is turned off, "/" open the palette. Its code loads on the first use of the page, or when it opens. */
function usePalette(user: CurrentUser): { open: (how: Omit<Opening, 'takeTyped'>) => void; palette: ReactNode } {
  const [opening, setOpening] = useState<Opening | null>(null)
  const [Loaded, setLoaded] = useState<{ Palette: typeof Palette } | null>(null)

  async function open(how: Omit<Opening, 'takeTyped'>) {
    const takeTyped = collectTyping()
    try {
      const { default: Palette } = await load()
      setLoaded({ Palette })
      setOpening({ ...how, takeTyped })
    } catch {
      takeTyped()
      toast({ title: 'Search couldn’t be opened', description: 'Check your connection, then try again.', variant: 'destructive' })
    }
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    // People press the modifier before the letter, which leaves time to load the code.
    if (event.key === 'Meta' || event.key === 'Control') return prefetchPalette()
    if (event.defaultPrevented || event.repeat || event.altKey || isTyping(event.target)) return
    const isCommand = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k'
    const isSlash = event.key === '/' && !event.metaKey && !event.ctrlKey && slashKey.isOn()
    // Don't open above another dialog, because that would break its focus trap.
    if (!(isCommand || isSlash) || document.querySelector('[data-scroll-lock]')) return
    event.preventDefault()
    void open({ enter: 'hit' })
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])

  useEffect(() => onFirstUse(prefetchPalette), [])

  // Searches are private, so delete them on sign-out or when another person signs in here.
  useEffect(() => {
    forgetSearchesExceptOf(user.id)
    const onPress = ({ target }: Event) => {
      if (target instanceof Element && target.closest('a[href^="/api/logout"]')) forgetSearches(user.id)
    }
    document.addEventListener('click', onPress)
    document.addEventListener('auxclick', onPress)
    return () => {
      document.removeEventListener('click', onPress)
      document.removeEventListener('auxclick', onPress)
    }
  }, [user.id])

  return {
    open: (how) => void open(how),
    palette: Loaded && opening && <Loaded.Palette user={user} {...opening} onClose={() => setOpening(null)} />,
  }
}

let collecting: (() => string) | null = null

/**
 * Collects typed text while the palette loads, because a fast typist starts before the field is ready. The returned function stops
 * collecting and returns the text. Opening the palette again in the meantime returns the same function, because a second listener would
 * never be stopped.
 */
export function collectTyping(): () => string {
  if (collecting) return collecting
  let text = ''
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.key === 'Backspace') text = text.slice(0, -1)
    else if (event.key.length === 1) text += event.key
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const take = () => {
    window.removeEventListener('keydown', onKeyDown, { capture: true })
    if (collecting === take) collecting = null
    return text
  }
  window.addEventListener('keydown', onKeyDown, { capture: true })
  collecting = take
  return take
}

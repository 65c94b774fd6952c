// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { onFirstUse } from '../../lib/on-first-use.ts'
import { toast } from '../../ui/toast-store.ts'
import { isTyping } from '../layout/is-typing.ts'
import type Palette from './palette.tsx'
import { forgetSearches, forgetSearchesExceptOf } from './recent-searches.ts'
import { isSlashKeyOn } from './slash-key.ts'

type Opening = Pick<ComponentProps<typeof Palette>, 'enter' | 'initialText'>

const load = () => import('./palette.tsx')
/** Ahead of time; what does not arrive is fetched again when it is wanted. */
export const prefetchPalette = (): void => void load().catch(() => undefined)

/**
 * The palette of a signed-in person and its keys, ⌘K or Ctrl+K and "/". Of its code nothing is loaded until it is wanted, or somebody has
 * begun to use the page.
 */
export function usePalette(user: CurrentUser): { open: (how: Opening) => void; palette: ReactNode } {
  const [opening, setOpening] = useState<Opening | null>(null)
  const [Loaded, setLoaded] = useState<{ Palette: typeof Palette } | null>(null)

  async function open(how: Opening) {
    try {
      const { default: Palette } = await load()
      setLoaded({ Palette })
      setOpening(how)
    } catch {
      toast({ title: 'Search could not be opened', description: 'Check your connection, then try again.', variant: 'destructive' })
    }
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    // The command key comes before the letter: time enough for the code to arrive.
    if (event.key === 'Meta' || event.key === 'Control') return prefetchPalette()
    if (event.defaultPrevented || event.repeat || event.altKey || isTyping(event.target)) return
    const isCommand = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k'
    const isSlash = event.key === '/' && !event.metaKey && !event.ctrlKey && isSlashKeyOn()
    // Over another dialog it would take the focus out of its hands.
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

  // What was searched for is nobody else's: it goes with signing out, by whichever link, or with the next person who signs in here.
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

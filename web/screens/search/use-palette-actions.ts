import { useNavigate, useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { searchUrl } from '#web/lib/search-text.ts'
import type { PaletteRow } from './palette-rows.ts'
import { forgetSearches, rememberSearch } from './recent-searches.ts'
import { slashKey } from './search-keys.tsx'
import { hitPath } from './search-words.ts'

type Actions = {
  accountId: string
  text: string
  onGone: () => void
}

/** Actions of palette rows. Stores searches that were submitted or followed on this device. */
export function usePaletteActions({ accountId, text, onGone }: Actions) {
  const router = useRouter()
  const navigate = useNavigate()

  function searchEverything(searched: string) {
    rememberSearch(accountId, searched)
    onGone()
    router.history.push(searchUrl(searched))
  }

  function choose(row: PaletteRow, event?: MouseEvent) {
    if (row.type === 'clear-recent') return forgetSearches(accountId)
    if (row.type === 'slash-key') return slashKey.set(!row.isOn)
    if (row.type === 'recent' || row.type === 'everything') return searchEverything(row.text)
    if (row.type === 'hit' || row.type === 'places') rememberSearch(accountId, text)
    if (row.type === 'hit' && (event?.metaKey || event?.ctrlKey)) {
      window.open(hitPath(row.hit), '_blank', 'noopener')
      return
    }
    onGone()
    if (row.type === 'hit') router.history.push(hitPath(row.hit))
    else if (row.type === 'places') void navigate({ to: '/discover', search: { search: row.text } })
    else void navigate(row.command.link)
  }

  return { choose, searchEverything }
}

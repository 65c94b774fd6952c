import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { nextActive } from '#web/ui/use-combobox.ts'
import { PaletteList, PaletteNote, rowId, usePaletteActions } from './palette-list.tsx'
import { paletteGroups } from './palette-rows.ts'
import { useSuggestions } from './search.api.ts'
import { type FieldKeys, type Suggesting, suggestionListId } from './search-keys.tsx'

type FieldSuggestionsProps = {
  user: CurrentUser
  text: string
  keys: RefObject<FieldKeys>
  onState: (state: Suggesting) => void
  onGone: () => void
  onClose: () => void
}

const none: [] = []

/**
 * Opens below the header's search field. No row is active until an arrow key or the pointer selects one. Until then, Enter submits the
 * field, as the first row explains.
 */
export default function FieldSuggestions({ user, text, keys, onState, onGone, onClose }: FieldSuggestionsProps) {
  const suggestions = useSuggestions(text)
  const groups = paletteGroups({ text, hits: suggestions.hits, recent: none, commands: none, enter: 'places' })
  const rows = groups.flatMap((group) => group.rows)
  const [moved, setMoved] = useState<{ text: string; key: string } | null>(null)
  const active = moved?.text === text ? rows.findIndex(({ key }) => key === moved.key) : -1
  const activeKey = rows[active]?.key
  const { choose, searchEverything } = usePaletteActions({ accountId: user.id, text, onGone })

  useEffect(() => {
    keys.current = (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.nativeEvent.isComposing) return
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault()
        const next = rows[nextActive(active, rows.length, event.key)]
        setMoved(next ? { text, key: next.key } : null)
      } else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
        event.preventDefault()
        searchEverything(text)
      } else if (event.key === 'Enter' && rows[active]) {
        event.preventDefault()
        choose(rows[active])
      } else if (event.key === 'Escape') {
        event.preventDefault()
        onClose()
      }
    }
  })
  useEffect(() => {
    onState({ isShown: true, activeId: activeKey && rowId(suggestionListId, activeKey) })
  }, [onState, activeKey])
  useEffect(
    () => () => {
      keys.current = null
      onState({ isShown: false, activeId: undefined })
    },
    [keys, onState],
  )

  const count = suggestions.hits.length
  return (
    // Pressing here must not blur the field, which would close the list before the click.
    // biome-ignore lint/a11y/noStaticElementInteractions: the element itself has no action
    <div
      onMouseDown={(event) => event.preventDefault()}
      className="absolute top-[calc(100%+0.375rem)] right-0 z-30 flex max-h-[min(34rem,calc(100dvh-5rem))] w-full min-w-[min(30rem,70vw)] animate-appear flex-col overflow-clip rounded-card border border-line bg-raised text-ink shadow-lift lg:right-auto lg:left-0"
    >
      <PaletteList
        id={suggestionListId}
        groups={groups}
        activeKey={activeKey}
        enterKey="places"
        onPoint={({ key }) => setMoved({ text, key })}
        onChoose={choose}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-1.5 py-1"
      />
      <PaletteNote text={text} hasFailed={suggestions.hasFailed} isEmpty={suggestions.isFresh && count === 0} onRetry={suggestions.retry} />
      <p role="status" className="sr-only">
        {suggestions.isFresh && (count === 0 ? 'Nothing found' : `${count} ${count === 1 ? 'suggestion' : 'suggestions'}`)}
      </p>
    </div>
  )
}

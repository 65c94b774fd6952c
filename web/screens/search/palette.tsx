import { Search, X } from 'lucide-react'
import * as Primitive from 'radix-ui/dialog'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { IconButton } from '#web/ui/button.tsx'
import { CloseOnBack } from '#web/ui/dialog.tsx'
import { findOpener, focusAgain } from '#web/ui/focus.ts'
import { PaletteList, PaletteNote, rowId, usePaletteActions } from './palette-list.tsx'
import { activeIndex, commandsFor, enteredRow, type PaletteRow, paletteGroups } from './palette-rows.ts'
import { forgetSearch, useRecentSearches } from './recent-searches.ts'
import { useSuggestions } from './search.api.ts'
import { KeyHint, slashKey, withCommand } from './search-keys.tsx'

type PaletteProps = {
  user: CurrentUser
  /** See `paletteGroups`. */
  enter: 'hit' | 'places'
  initialText?: string
  /** Stops collecting typed text, and returns what was typed before the field existed. */
  takeTyped: () => string
  onClose: () => void
}

export default function Palette({ user, enter, initialText = '', takeTyped, onClose }: PaletteProps) {
  const listId = useId()
  const hasFollowed = useRef(false)
  const [typed, setTyped] = useState(initialText)
  const [moved, setMoved] = useState<{ key: string } | null>(null)
  const text = typed.trim()
  const recent = useRecentSearches(user.id)
  const suggestions = useSuggestions(text)
  const isSlashKeyOn = slashKey.useIsOn()
  const groups = paletteGroups({
    text,
    hits: suggestions.hits,
    recent,
    commands: commandsFor(user),
    isSlashKeyOn: enter === 'hit' ? isSlashKeyOn : undefined,
    enter,
  })
  const rows = groups.flatMap((group) => group.rows)
  const active = rows[activeIndex(rows, moved)]
  const { choose, searchEverything } = usePaletteActions({
    accountId: user.id,
    text,
    onGone: () => {
      hasFollowed.current = true
      onClose()
    },
  })

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      const next = rows[(activeIndex(rows, moved) + step + rows.length) % rows.length]
      if (next) setMoved({ key: next.key })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (event.metaKey || event.ctrlKey) {
        if (text) searchEverything(text)
        return
      }
      const row = enteredRow(rows, moved, suggestions.isFresh)
      if (row) choose(row)
    } else if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      onClose()
    } else if (event.key === 'Delete' && active?.type === 'recent') {
      event.preventDefault()
      forget(active)
    }
  }

  function forget(row: PaletteRow & { type: 'recent' }) {
    const next = rows[rows.indexOf(row) + 1]
    setMoved(next ? { key: next.key } : null)
    forgetSearch(user.id, row.text)
  }

  const count = suggestions.hits.length
  return (
    <CommandDialog
      title="Search"
      onClose={onClose}
      onFocus={() => {
        const typedBefore = takeTyped()
        if (typedBefore) setTyped((now) => now + typedBefore)
      }}
      hasFollowed={() => hasFollowed.current}
    >
      <div className="flex items-center gap-3 border-line border-b px-4 py-1.5 sm:px-5 sm:py-2">
        <Search aria-hidden="true" className="size-5 shrink-0 text-muted" />
        <input
          type="text"
          role="combobox"
          aria-label="Search"
          aria-autocomplete="list"
          aria-expanded={rows.length > 0}
          aria-controls={listId}
          aria-activedescendant={active && rowId(listId, active.key)}
          placeholder="Search, or go to a page"
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={120}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setMoved(null)
          }}
          onKeyDown={onKeyDown}
          className="min-h-12 min-w-0 flex-1 bg-transparent text-lg outline-none sm:min-h-11"
        />
        <span aria-hidden="true" className="max-sm:hidden">
          <KeyHint>esc</KeyHint>
        </span>
        <IconButton label="Close" size="sm" className="-mr-1.5 pointer-fine:sm:not-focus-visible:sr-only" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <PaletteList
        id={listId}
        groups={groups}
        activeKey={active?.key}
        onPoint={(row) => setMoved({ key: row.key })}
        onChoose={choose}
        onForget={(forgotten) => forgetSearch(user.id, forgotten)}
        className="min-h-0 overflow-y-auto overscroll-contain px-2 py-1 sm:px-2.5"
      />
      <PaletteNote text={text} hasFailed={suggestions.hasFailed} isEmpty={suggestions.isFresh && count === 0} onRetry={suggestions.retry} />
      <p role="status" className="sr-only">
        {text !== '' && suggestions.isFresh && (count === 0 ? 'Nothing found' : `${count} ${count === 1 ? 'result' : 'results'}`)}
      </p>
      <div
        aria-hidden="true"
        className="flex items-center gap-x-4 gap-y-1 border-line border-t bg-sunk px-5 py-2 text-muted text-xs max-sm:hidden pointer-coarse:hidden"
      >
        <Hint keys={['↑', '↓']} does="to move" />
        <Hint keys={['↵']} does="to open" />
        {text && <Hint keys={[withCommand('↵')]} does="for all results" />}
        {active?.type === 'recent' && <Hint keys={['Del']} does="to remove" />}
      </div>
    </CommandDialog>
  )
}

const Hint = ({ keys, does }: { keys: string[]; does: ReactNode }) => (
  <span className="flex items-center gap-1">
    {keys.map((key) => (
      <KeyHint key={key}>{key}</KeyHint>
    ))}
    {does}
  </span>
)

type CommandDialogProps = {
  onClose: () => void
  onFocus: () => void
  /** For screen readers. Visually, the dialog starts with the field. */
  title: string
  /** True once a link has been followed, so focus moves into the page instead of back. */
  hasFollowed: () => boolean
  children: ReactNode
}

/** Opens near the top of wide screens, and full-screen on phones. The first field gets focus. For the scrim, see dialog.tsx. */
function CommandDialog({ onClose, onFocus, title, hasFollowed, children }: CommandDialogProps) {
  const opener = useRef<Element>(null)
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <div
          data-scroll-lock=""
          className="pointer-events-auto fixed inset-0 z-50 flex animate-fade flex-col overflow-hidden bg-scrim sm:px-6 sm:pt-[min(16vh,9rem)] sm:pb-6"
        >
          <Primitive.Content
            aria-describedby={undefined}
            className="mx-auto flex min-h-0 w-full flex-col bg-raised text-ink max-sm:h-dvh max-sm:pb-[env(safe-area-inset-bottom)] sm:max-h-[min(36rem,100%)] sm:max-w-2xl sm:animate-appear sm:overflow-clip sm:rounded-card sm:border sm:border-line sm:shadow-lift"
            onOpenAutoFocus={() => {
              opener.current = findOpener()
              onFocus()
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              focusAgain(hasFollowed() ? null : opener.current)
            }}
          >
            <Primitive.Title className="sr-only">{title}</Primitive.Title>
            <CloseOnBack />
            {children}
          </Primitive.Content>
        </div>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

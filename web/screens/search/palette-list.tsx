import { useNavigate, useRouter } from '@tanstack/react-router'
import { Clock, Compass, Keyboard, Search, Trash2, X } from 'lucide-react'
import { type MouseEvent, useEffect, useRef } from 'react'
import type { SearchHit } from '#contracts/search.endpoints.ts'
import { isVisitorPage } from '#contracts/visitor-pages.ts'
import { distanceText, useUnits } from '#web/lib/units.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { HitPicture, hitFacts, kinds, MarkedText } from './hits.tsx'
import type { PaletteGroup, PaletteRow } from './palette-rows.ts'
import { forgetSearches, rememberSearch } from './recent-searches.ts'
import { searchUrl } from './search-address.ts'
import { slashKey } from './search-keys.tsx'

type PaletteListProps = {
  id: string
  groups: readonly PaletteGroup[]
  activeKey: string | undefined
  /** The row that Enter activates if none is selected. */
  enterKey?: string | undefined
  onPoint: (row: PaletteRow) => void
  onChoose: (row: PaletteRow, event: MouseEvent) => void
  onForget?: ((text: string) => void) | undefined
  className: string
}

export const rowId = (listId: string, key: string): string => `${listId}-${key.replace(/\s/g, '_')}`

/** The search field above has focus and handles keys. */
export function PaletteList({ id, groups, activeKey, enterKey, onPoint, onChoose, onForget, className }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const row = activeKey === undefined ? null : document.getElementById(rowId(id, activeKey))
    const isFirst = row !== null && row === list.current?.querySelector('[role="option"]')
    if (isFirst) list.current?.scrollTo({ top: 0 })
    else row?.scrollIntoView({ block: 'nearest' })
  }, [id, activeKey])
  return (
    <div ref={list} id={id} role="listbox" aria-label="Results" className={className}>
      {groups.map(({ label, rows }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: HTML has no element for a group of options outside a select
        <div key={label} role="group" aria-labelledby={`${id}-group-${index}`} className="pb-1">
          <p id={`${id}-group-${index}`} className="px-2.5 pt-1.5 pb-0.5 font-medium text-muted text-xs">
            {label}
          </p>
          {rows.map((row) => {
            const isActive = row.key === activeKey
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps focus and handles the keys
              <div
                key={row.key}
                id={rowId(id, row.key)}
                role="option"
                aria-selected={isActive}
                tabIndex={-1}
                className="group/row flex min-h-11 cursor-pointer scroll-my-1.5 items-center gap-3 rounded-[0.5rem] px-2.5 py-1.5 aria-selected:bg-sunk pointer-coarse:min-h-13"
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => isActive || onPoint(row)}
                onClick={(event) => onChoose(row, event)}
              >
                <PaletteIcon row={row} />
                <RowText row={row} />
                {row.type === 'recent' && onForget && (
                  // Options can't contain controls, so this isn't a button. The Delete key does the same.
                  <span
                    aria-hidden="true"
                    data-forget=""
                    className="grid size-8 shrink-0 place-items-center rounded-full text-muted hover:bg-line hover:text-ink pointer-fine:not-group-aria-selected/row:invisible pointer-coarse:size-11"
                    onPointerDown={(event) => event.preventDefault()}
                    onClick={(event) => {
                      event.stopPropagation()
                      onForget(row.text)
                    }}
                  >
                    <X className="size-4" />
                  </span>
                )}
                {(isActive || row.key === enterKey) && <EnterSign isFaint={!isActive} />}
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}

const EnterSign = ({ isFaint }: { isFaint: boolean }) => (
  <span
    aria-hidden="true"
    className={cx("shrink-0 text-muted text-sm before:content-['↵'] pointer-coarse:hidden", isFaint && 'opacity-80')}
  />
)

function HitFacts({ hit }: { hit: SearchHit }) {
  const distance = distanceText(
    { distanceMiles: hit.distanceMiles, pin: hit.precision && { precision: hit.precision } },
    useUnits().distance,
  )
  return [hitFacts(hit) || kinds[hit.kind].one, distance].filter(Boolean).join(' · ')
}

function RowText({ row }: { row: PaletteRow }) {
  if (row.type === 'hit') {
    const { title, matched } = row.hit
    return (
      <span className="min-w-0 flex-1 sm:flex sm:items-baseline sm:gap-2.5">
        <span className="block truncate font-medium sm:max-w-[70%] sm:shrink-0">
          <MarkedText text={title} ranges={matched} />
        </span>
        <span className="block truncate text-muted text-sm sm:min-w-0">
          <HitFacts hit={row.hit} />
        </span>
      </span>
    )
  }
  return (
    <span className="flex min-w-0 flex-1 items-center gap-1 truncate">
      {row.type === 'command' && <MarkedText text={row.command.label} ranges={row.ranges} />}
      {row.type === 'recent' && <span className="truncate">{row.text}</span>}
      {row.type === 'clear-recent' && <span className="text-muted">Clear recent searches</span>}
      {row.type === 'slash-key' && (row.isOn ? 'Turn off the “/” shortcut for search' : 'Turn on the “/” shortcut for search')}
      {row.type === 'everything' && <Searched before="All results for" text={row.text} />}
      {row.type === 'places' && <Searched before="Businesses in Discover for" text={row.text} />}
    </span>
  )
}

const Searched = ({ before, text }: { before: string; text: string }) => (
  <span className="truncate">
    {before} <span className="font-medium">“{text}”</span>
  </span>
)

function PaletteIcon({ row }: { row: PaletteRow }) {
  if (row.type === 'hit') return <HitPicture hit={row.hit} size="sm" />
  const Icon = row.type === 'command' ? row.command.Icon : icons[row.type]
  return (
    <span className="grid size-8 shrink-0 place-items-center text-muted">
      <Icon aria-hidden="true" className="size-4.5" />
    </span>
  )
}

const icons = { recent: Clock, 'clear-recent': Trash2, everything: Search, places: Compass, 'slash-key': Keyboard }

type PaletteNoteProps = { text: string; hasFailed: boolean; isEmpty: boolean; onRetry: () => void }

export function PaletteNote({ text, hasFailed, isEmpty, onRetry }: PaletteNoteProps) {
  if (text === '') return null
  if (hasFailed) {
    return (
      <div
        role="alert"
        className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-5 py-3 text-clay text-sm"
      >
        Suggestions couldn’t be loaded. Check your connection.
        <Button size="sm" variant="secondary" onClick={onRetry}>
          Retry
        </Button>
      </div>
    )
  }
  return isEmpty ? (
    <p className="border-line border-t px-5 py-3 text-muted text-sm">
      No results for “{text}”. Try fewer letters, or search for businesses in Discover.
    </p>
  ) : null
}

type Actions = {
  accountId: string
  text: string
  onGone: () => void
}

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
      window.open(row.hit.path, '_blank', 'noopener')
      return
    }
    onGone()
    if (row.type === 'hit' && isVisitorPage(row.hit.path)) window.location.assign(row.hit.path)
    else if (row.type === 'hit') router.history.push(row.hit.path)
    else if (row.type === 'places') void navigate({ to: '/discover', search: { search: row.text } })
    else void navigate(row.command.link)
  }

  return { choose, searchEverything }
}

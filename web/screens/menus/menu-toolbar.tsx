import { Link } from '@tanstack/react-router'
import { CheckCheck, Download, Ellipsis, FileUp, Plug, Plus, Redo2, Search, Settings2, Undo2 } from 'lucide-react'
import type { MyBusiness } from '#contracts/businesses.ts'
import { type EditorSort, editorSorts, type MenuPart, menuParts, productCategories } from '#contracts/menu-fields.rules.ts'
import type { ProductCategory } from '#contracts/menu-fields.ts'
import type { MenuState } from '#contracts/menus.ts'
import { Confirmed } from '#web/entities/menus/confirmed.tsx'
import type { CellErrors, Conflict, Edits } from '#web/entities/menus/menu-edits.ts'
import { headingOf } from '#web/entities/menus/menu-fields.ts'
import { RoomNote } from '#web/entities/menus/room-note.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { Select } from '#web/ui/select.tsx'
import { roomWords } from './menu-words.ts'
import type { MenuEdits } from './use-menu-edits.ts'

export type MenuListFilter = { text: string; category: ProductCategory | null; part: MenuPart | null; sort: EditorSort }
export const noFilter: MenuListFilter = { text: '', category: null, part: null, sort: 'category' }

const sortWords: Record<EditorSort, string> = {
  category: 'By category',
  price: 'Lowest price first',
  oldest: 'Least recently confirmed first',
}

const partWords: Record<MenuPart, string> = {
  in_stock: 'In Stock',
  out_of_stock: 'Out of Stock',
  no_category: 'No category',
  unconfirmed: 'Not confirmed in 7 days',
}

type MenuToolbarProps = {
  business: MyBusiness
  settings: MenuState | undefined
  filter: MenuListFilter
  onFilter: (filter: MenuListFilter) => void
  isFull: boolean
  isEmpty: boolean
  newCount: number
  isConfirming: boolean
  onConfirm: () => void
  onAdd: () => void
  onSettings: () => void
}

export function MenuToolbar({ business, settings, filter, onFilter, isFull, isEmpty, newCount, isConfirming, ...on }: MenuToolbarProps) {
  const limit = settings?.itemLimit ?? null
  const oldest = settings?.confirmedAt
  return (
    <div className="mb-4 grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 className="text-xl">Menu</h2>
          <p className="mt-1 flex min-h-5 flex-wrap items-center gap-x-3 text-muted text-sm tabular-nums">
            {settings && (
              <span>
                {roomWords(settings)}
                {newCount > 0 && `, ${formatNumber(newCount)} not saved yet`}
              </span>
            )}
            {oldest && <Confirmed at={oldest} className="text-sm!" />}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {oldest && (
            <Button variant="secondary" pending={isConfirming} onClick={on.onConfirm}>
              <CheckCheck aria-hidden="true" className="max-sm:hidden" />
              Confirm all
            </Button>
          )}
          <Button onClick={on.onAdd} disabled={isFull}>
            <Plus aria-hidden="true" className="max-sm:hidden" />
            Add item
          </Button>
          <Menu>
            <MenuTrigger asChild>
              <IconButton label="More actions for this menu" variant="outline">
                <Ellipsis aria-hidden="true" />
              </IconButton>
            </MenuTrigger>
            <MenuContent>
              <MenuItem asChild>
                <Link to="/business-dashboard/menu/import" search={{ business: business.slug }}>
                  <FileUp aria-hidden="true" />
                  Import a file
                </Link>
              </MenuItem>
              <MenuItem asChild>
                <Link to="/business-dashboard/menu/connections" search={{ business: business.slug }}>
                  <Plug aria-hidden="true" />
                  Connections
                </Link>
              </MenuItem>
              <MenuItem asChild>
                <a href={`/api/businesses/${business.id}/menu.csv`} download>
                  <Download aria-hidden="true" />
                  Download as CSV
                </a>
              </MenuItem>
              <MenuItem onSelect={on.onSettings} disabled={!settings}>
                <Settings2 aria-hidden="true" />
                Currency and tax
              </MenuItem>
            </MenuContent>
          </Menu>
        </div>
      </div>
      {isFull && limit !== null && settings && (
        <RoomNote slug={business.slug} limit={limit} what="items" isOver={settings.itemCount > limit} newCount={newCount} />
      )}
      {!isEmpty && (
        <div className="flex flex-wrap gap-3">
          <Input
            type="search"
            aria-label="Search this menu"
            placeholder="Search this menu"
            autoComplete="off"
            maxLength={120}
            start={<Search aria-hidden="true" />}
            value={filter.text}
            onChange={(event) => onFilter({ ...filter, text: event.target.value })}
            className="min-w-48 flex-1 md:max-w-sm"
          />
          <Select
            aria-label="Category"
            value={filter.category ?? ''}
            onChange={(event) => onFilter({ ...filter, category: (event.target.value || null) as ProductCategory | null })}
            className="min-w-40 max-md:flex-1"
          >
            <option value="">All categories</option>
            {productCategories.map((category) => (
              <option key={category} value={category}>
                {category}
              </option>
            ))}
          </Select>
          <Select
            aria-label="Show"
            value={filter.part ?? ''}
            onChange={(event) => onFilter({ ...filter, part: (event.target.value || null) as MenuPart | null })}
            className="min-w-40 max-md:flex-1"
          >
            <option value="">All items</option>
            {menuParts.map((part) => (
              <option key={part} value={part}>
                {partWords[part]}
              </option>
            ))}
          </Select>
          <Select
            aria-label="Sort"
            value={filter.sort}
            onChange={(event) => onFilter({ ...filter, sort: event.target.value as EditorSort })}
            className="min-w-40 max-md:flex-1"
          >
            {editorSorts.map((sort) => (
              <option key={sort} value={sort}>
                {sortWords[sort]}
              </option>
            ))}
          </Select>
        </div>
      )}
    </div>
  )
}

type UnsavedBarProps = {
  edits: Edits
  errors: CellErrors
  conflicts: readonly Conflict[]
  steps: Pick<MenuEdits, 'canUndo' | 'canRedo' | 'undo' | 'redo'>
  isSaving: boolean
  error: unknown
  onSave: () => void
  onDiscard: () => void
  onFirstError: () => void
  onKeepMine: (id: string) => void
  onTakeTheirs: (id: string) => void
}

const count = (all: Readonly<Record<string, object>>) => Object.values(all).reduce((sum, cells) => sum + Object.keys(cells).length, 0)

export function UnsavedBar({ edits, errors, conflicts, steps, isSaving, error, ...props }: UnsavedBarProps) {
  const rows = Object.keys(edits).length
  const wrong = count(errors)
  if (rows === 0) return null
  return (
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom)+0.5rem)] z-20 mt-4 animate-arrive rounded-card border border-line bg-raised shadow-lift"
    >
      {conflicts.length > 0 && (
        <div className="max-h-64 overflow-y-auto border-line border-b px-4 py-3" role="alert">
          <p className="font-medium">
            {conflicts.length === 1 ? 'Someone else changed the same item' : `Someone else changed ${conflicts.length} of these items`}
          </p>
          <ul className="mt-2 grid gap-2">
            {conflicts.map(({ id, name, cells }) => (
              <li
                key={id}
                className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-input bg-clay-soft px-3 py-2 text-sm"
              >
                <span className="min-w-0">
                  <b className="font-semibold">{name}</b>
                  {cells.map(({ key, size, theirs, mine }) => (
                    <span key={key + size} className="block tabular-nums">
                      {headingOf(key)}
                      {size && ` (${size})`}: theirs {theirs || 'empty'}, yours {mine || 'empty'}
                    </span>
                  ))}
                </span>
                <span className="flex gap-2">
                  <Button variant="secondary" size="sm" onClick={() => props.onTakeTheirs(id)} aria-label={`Use theirs for ${name}`}>
                    Use theirs
                  </Button>
                  <Button variant="secondary" size="sm" onClick={() => props.onKeepMine(id)} aria-label={`Keep mine for ${name}`}>
                    Keep mine
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {error !== null && conflicts.length === 0 && (
        <FormError className="border-line border-b px-4 py-3">Some changes weren’t saved. {messageOf(error)}</FormError>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <p role="status" className="font-medium text-sm tabular-nums">
          {counted(rows, 'item')} with unsaved changes
        </p>
        {wrong > 0 && (
          <button
            type="button"
            onClick={props.onFirstError}
            className="touch-target rounded-tag font-medium text-clay text-sm underline underline-offset-3"
          >
            {wrong === 1 ? '1 cell has an error' : `${wrong} cells have errors`}
          </button>
        )}
        <span className="ml-auto flex items-center gap-2">
          <IconButton label="Undo" size="sm" disabled={!steps.canUndo} onClick={steps.undo}>
            <Undo2 aria-hidden="true" />
          </IconButton>
          <IconButton label="Redo" size="sm" disabled={!steps.canRedo} onClick={steps.redo}>
            <Redo2 aria-hidden="true" />
          </IconButton>
          <Button variant="quiet" size="sm" onClick={() => !isSaving && props.onDiscard()} aria-disabled={isSaving}>
            Discard
          </Button>
          <Button size="sm" pending={isSaving} pendingText="Saving..." onClick={props.onSave} disabled={conflicts.length > 0}>
            Save changes
          </Button>
        </span>
      </div>
    </section>
  )
}

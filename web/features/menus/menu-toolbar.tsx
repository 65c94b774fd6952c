import { Link } from '@tanstack/react-router'
import { CheckCheck, Download, Ellipsis, FileUp, Plus, Search, Settings2 } from 'lucide-react'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { type MenuSettings, type ProductCategory, productCategories } from '../../../contracts/menus.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx'
import { Select } from '../../ui/select.tsx'
import { Confirmed } from './confirmed.tsx'
import { RoomNote } from './room-note.tsx'
import { roomWords } from './room-words.ts'

type Filter = { text: string; category: ProductCategory | null }

type MenuToolbarProps = {
  business: MyBusiness
  settings: (MenuSettings & { itemCount: number; itemLimit: number | null }) | undefined
  filter: Filter
  onFilter: (filter: Filter) => void
  isFull: boolean
  isEmpty: boolean
  /** Items that are typed and not saved. */
  newCount: number
  /** When the least recently confirmed item was confirmed. */
  oldest: string | null
  isConfirming: boolean
  onConfirm: () => void
  onAdd: () => void
  onSettings: () => void
}

/** Above the table: how much there is, how old it is, and what can be done with the whole menu. */
export function MenuToolbar({
  business,
  settings,
  filter,
  onFilter,
  isFull,
  isEmpty,
  newCount,
  oldest,
  isConfirming,
  ...on
}: MenuToolbarProps) {
  const limit = settings?.itemLimit ?? null
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
              <IconButton label="More for this menu" variant="outline">
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
        <RoomNote slug={business.slug} limit={limit} what="items" isOver={settings.itemCount > limit} />
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
        </div>
      )}
    </div>
  )
}

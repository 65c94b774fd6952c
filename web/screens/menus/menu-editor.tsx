import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileUp, X } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import type { MyBusiness } from '#contracts/businesses.ts'
import { maxVariants } from '#contracts/limits.ts'
import {
  cellKey,
  conflictsOf,
  isNewRow,
  overwritten,
  shownVariants,
  withoutRows,
  withoutVariant,
  withVariant,
  withWrites,
} from '#web/entities/menus/menu-edits.ts'
import { columns, inStock, outOfStock } from '#web/entities/menus/menu-fields.ts'
import { everyItem, menuItemsOptions, menuSettingsOptions } from '#web/entities/menus/menus.api.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { MorePages } from '#web/ui/paged-list.tsx'
import { useRemoved } from '#web/ui/pending-removals.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { type BulkChange, BulkDialog, bulkWrites } from './bulk-dialog.tsx'
import { ItemDialog } from './item-dialog.tsx'
import { MenuCards } from './menu-cards.tsx'
import { itemRows, MenuGrid, rowId } from './menu-grid.tsx'
import { MenuToolbar, noFilter, UnsavedBar } from './menu-toolbar.tsx'
import { roomLeft } from './menu-words.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import { makeRowId, useConfirmMenu, useInstantStock, useMenuEdits, useRemoveItems, useSaveEdits } from './use-menu-edits.ts'

/** To add more, people should import a file. */
const maxNewRows = 200

export function MenuEditor({ business }: { business: MyBusiness }) {
  const client = useQueryClient()
  const [filter, setFilter] = useState(noFilter)
  const q = useDebounced(filter.text.trim()).slice(0, 120)
  const query = {
    ...(q && { q }),
    ...(filter.category && { category: filter.category }),
    ...(filter.part && { part: filter.part }),
    ...(filter.sort !== 'category' && { sort: filter.sort }),
  }
  const list = useInfiniteQuery({ ...menuItemsOptions(business.id, query), placeholderData: keepPreviousData, refetchOnMount: 'always' })
  const { data: settings } = useQuery(menuSettingsOptions(business.id))
  const steps = useMenuEdits(business.id)
  const { edits, change, settle } = steps
  const saving = useSaveEdits(business.id, steps)
  const { confirm, isConfirming, isConfirmingAll } = useConfirmMenu(business.id)
  const removeItems = useRemoveItems(business.id)
  const removed = useRemoved()
  const hasTable = useHasRoomForTable()
  const isSavedAtOnce = useInstantStock(!hasTable && list.data !== undefined, edits, saving)
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<string | null>(null)
  const [lastChecked, setLastChecked] = useState<string | null>(null)
  const [dialog, setDialog] = useState<'settings' | 'bulk' | null>(null)
  const [goTo, setGoTo] = useState<{ id: string; column: number } | null>(null)
  // The blank row's ID until someone types into it.
  const [nextRow, setNextRow] = useState(makeRowId)
  // A saved item may sort after the loaded pages now, so that a later page contains it again.
  const listed = new Map(list.data?.pages.flatMap((page) => page.items).map((item) => [item.id, item]))
  const items = [...listed.values()].filter(({ id }) => !removed.has(id))
  const byId = everyItem(client, business.id, list.data)
  const conflicts = conflictsOf(edits, byId)
  const newIds = Object.keys(edits).filter(isNewRow)
  const room = settings ? roomLeft(settings) - newIds.length : Number.POSITIVE_INFINITY
  if (newIds.includes(nextRow)) setNextRow(makeRowId())

  const shown = [...items.map((item) => ({ id: item.id, item })), ...newIds.map((id) => ({ id, item: undefined }))]
  const hasBlankRow = room > 0 && newIds.length < maxNewRows
  const rows = [...shown, ...(hasBlankRow ? [{ id: nextRow, item: undefined }] : [])].flatMap(({ id, item }) =>
    itemRows(id, item, edits[id]),
  )
  const openedItem = opened === null ? undefined : byId.get(opened)
  const picked = items.filter(({ id }) => checked.has(id))
  const allChecked =
    items.length === 0 || picked.length === 0 ? 'none' : picked.length === items.length && !list.hasNextPage ? 'all' : 'some'
  const isNarrowed = q !== '' || filter.category !== null || filter.part !== null
  const isEmpty = list.data !== undefined && shown.length === 0 && !isNarrowed && !list.isPlaceholderData

  function toggleChecked(id: string, isRange: boolean) {
    setChecked((before) => withToggled(before, id, isRange ? rangeTo(items, lastChecked, id) : [id]))
    setLastChecked(id)
  }

  /** Includes items that aren't loaded yet. */
  async function checkAll(isOn: boolean) {
    if (!isOn) return setChecked(new Set())
    let all = list
    while (all.hasNextPage && !all.isFetchNextPageError) all = await all.fetchNextPage()
    setChecked(new Set(all.data?.pages.flatMap((page) => page.items.map(({ id }) => id)).filter((id) => !removed.has(id))))
  }

  function changeAll(bulk: BulkChange) {
    setDialog(null)
    const { writes, skipped } = bulkWrites(picked, edits, bulk)
    change((now) => withWrites(now, byId, writes))
    if (skipped > 0) {
      toast({
        title: `${counted(skipped, 'price')} ${skipped === 1 ? 'wasn’t' : 'weren’t'} changed`,
        description: `The new ${skipped === 1 ? 'price' : 'prices'} wouldn’t be valid.`,
      })
    }
  }

  function firstError(id?: string) {
    const wrong = id ?? Object.entries(saving.errors).find(([, cells]) => Object.keys(cells).length > 0)?.[0]
    if (wrong === undefined) return
    const errors = saving.errors[wrong] ?? {}
    const variants = shownVariants(edits[wrong], byId.get(wrong))
    const variant = variants.find((each) => columns.some(({ key }) => errors[cellKey(key, each)] !== undefined)) ?? variants[0] ?? ''
    const column = columns.findIndex(({ key }) => errors[cellKey(key, variant)] !== undefined)
    setGoTo({ id: rowId(wrong, variant), column: Math.max(0, column) })
    if (!hasTable && byId.has(wrong)) setOpened(wrong)
  }

  function addSize(id: string) {
    const variant = makeRowId()
    if (shownVariants(edits[id], byId.get(id)).length >= maxVariants)
      return toast({ title: `An item can have at most ${maxVariants} sizes` })
    change((now) => withVariant(now, byId, id, variant))
    setGoTo({ id: rowId(id, variant), column: columns.findIndex(({ key }) => key === 'weight') })
  }

  function save() {
    const wrong = saving.save()
    if (wrong) firstError(wrong)
  }

  function discard() {
    const before = edits
    change(() => ({}))
    saving.reset()
    toast({ title: 'Changes discarded', action: { label: 'Undo', onClick: () => change(() => before) } })
  }

  function takeTheirs(id: string) {
    settle((now) => withoutRows(now, [id]))
    saving.reset()
  }

  const remove = (chosen: readonly { id: string; name: string }[]) => {
    setChecked(new Set())
    removeItems(chosen, (ids) => settle((now) => withoutRows(now, ids)))
  }
  const setStock = (text: string) =>
    change((now) =>
      withWrites(
        now,
        byId,
        picked.flatMap(({ id }) =>
          shownVariants(now[id], byId.get(id)).map((variant) => ({ id, variant, key: 'isAvailable' as const, text })),
        ),
      ),
    )

  if (list.isPending) return <EditorSkeleton />
  if (!list.data) {
    return <LoadError title="The menu couldn’t be loaded" query={list} />
  }
  return (
    <div>
      <MenuToolbar
        business={business}
        settings={settings}
        filter={filter}
        onFilter={setFilter}
        isFull={room <= 0}
        isEmpty={isEmpty}
        newCount={newIds.length}
        isConfirming={isConfirmingAll}
        onConfirm={() => confirm(null)}
        onAdd={() => setOpened('new')}
        onSettings={() => setDialog('settings')}
      />
      {isEmpty && (
        <EmptyState
          title="No products available yet."
          description={
            hasTable
              ? 'Type or paste your first items into the table, fill in the form or import a file.'
              : 'Add your first item, or import a file.'
          }
          className="py-6!"
        >
          <Button asChild variant="secondary">
            <Link to="/business-dashboard/menu/import" search={{ business: business.slug }}>
              <FileUp aria-hidden="true" />
              Import a file
            </Link>
          </Button>
        </EmptyState>
      )}
      {picked.length > 0 && (
        <CheckedBar
          count={picked.length}
          isConfirming={isConfirming}
          onChange={() => setDialog('bulk')}
          onConfirm={() => confirm(picked.map(({ id }) => id))}
          onInStock={() => setStock(inStock)}
          onOutOfStock={() => setStock(outOfStock)}
          onRemove={() => remove(picked)}
          onClear={() => setChecked(new Set())}
        />
      )}
      {hasTable && (
        <MenuGrid
          rows={rows}
          hasBlankRow={hasBlankRow}
          edits={edits}
          errors={saving.errors}
          conflicts={conflicts}
          checked={checked}
          moreItems={(count) => Array.from({ length: Math.max(0, Math.min(count, room - 1, maxNewRows - newIds.length - 1)) }, makeRowId)}
          tooMany={
            Number.isFinite(room) ? 'You’ve reached the item limit. Business Tools has no limit.' : 'To add this many items, import a file.'
          }
          onWrite={(writes) => change((now) => withWrites(now, byId, writes))}
          onUndo={steps.undo}
          onRedo={steps.redo}
          onSave={save}
          onCheck={toggleChecked}
          onCheckAll={(isOn) => void checkAll(isOn)}
          allChecked={allChecked}
          onOpen={setOpened}
          onAddSize={addSize}
          onRemoveSize={(id, variant) => change((now) => withoutVariant(now, byId, id, variant))}
          onNearEnd={() => list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError && void list.fetchNextPage()}
          goTo={goTo}
        />
      )}
      {!hasTable && (
        <MenuCards
          items={shown}
          edits={edits}
          errors={saving.errors}
          conflicts={conflicts}
          currency={settings?.currency ?? 'USD'}
          checked={checked}
          allChecked={allChecked}
          onCheck={(id) => toggleChecked(id, false)}
          onCheckAll={(isOn) => void checkAll(isOn)}
          onWrite={(writes) => change((now) => withWrites(now, byId, writes))}
          onOpen={setOpened}
          onConfirm={(id) => confirm([id])}
        />
      )}
      {shown.length === 0 && isNarrowed && (
        <div className="grid justify-items-center gap-3 py-8 text-center">
          <p className="font-medium">No items on this menu match.</p>
          <Button variant="secondary" onClick={() => setFilter({ ...noFilter, sort: filter.sort })}>
            Show the whole menu
          </Button>
        </div>
      )}
      {(!hasTable || list.isFetchNextPageError) && <MorePages list={list} />}
      <UnsavedBar
        edits={isSavedAtOnce && conflicts.length === 0 ? {} : edits}
        errors={saving.errors}
        conflicts={conflicts}
        steps={steps}
        isSaving={saving.isSaving}
        error={saving.error}
        onSave={save}
        onDiscard={discard}
        onFirstError={() => firstError()}
        onKeepMine={(id) => settle((now) => overwritten(now, byId, id))}
        onTakeTheirs={takeTheirs}
      />
      {(opened === 'new' || openedItem) && (
        <ItemDialog
          business={business}
          settings={settings}
          item={openedItem ?? null}
          edit={opened === null ? undefined : edits[opened]}
          onClose={() => setOpened(null)}
          onSaved={(id) => settle((now) => withoutRows(now, [id]))}
          onRemove={(item) => remove([item])}
        />
      )}
      <BulkDialog
        count={picked.length}
        open={dialog === 'bulk'}
        onOpenChange={(open) => setDialog(open ? 'bulk' : null)}
        onApply={changeAll}
      />
      {settings && (
        <SettingsDialog
          businessId={business.id}
          settings={settings}
          open={dialog === 'settings'}
          onOpenChange={(open) => setDialog(open ? 'settings' : null)}
        />
      )}
    </div>
  )
}

const EditorSkeleton = () => (
  <SkeletonGroup label="Loading the menu..." className="grid gap-4">
    <Skeleton className="h-10 w-full max-w-xl" />
    <Skeleton className="h-96 rounded-card" />
  </SkeletonGroup>
)

/** Deselects `ids` if `id` was selected, and selects them otherwise. */
function withToggled(checked: ReadonlySet<string>, id: string, ids: readonly string[]): ReadonlySet<string> {
  const next = new Set(checked)
  for (const each of ids) {
    if (checked.has(id)) next.delete(each)
    else next.add(each)
  }
  return next
}

function rangeTo(items: readonly { id: string }[], from: string | null, to: string): string[] {
  const [start, end] = [from, to].map((id) => items.findIndex((item) => item.id === id)).sort((a, b) => a - b) as [number, number]
  return start === -1 ? [to] : items.slice(start, end + 1).map(({ id }) => id)
}

type CheckedBarProps = {
  count: number
  isConfirming: boolean
  onChange: () => void
  onConfirm: () => void
  onInStock: () => void
  onOutOfStock: () => void
  onRemove: () => void
  onClear: () => void
}

function CheckedBar({ count, isConfirming, onChange, onConfirm, onInStock, onOutOfStock, onRemove, onClear }: CheckedBarProps) {
  return (
    <section
      aria-label="Selected items"
      className="sticky top-18 z-20 mb-3 flex animate-appear flex-wrap items-center gap-2 rounded-card border border-leaf/40 bg-leaf-soft px-3 py-2 max-md:shadow-lift md:static"
    >
      <p role="status" className="mr-2 font-medium text-sm tabular-nums">
        {formatNumber(count)} selected
      </p>
      <Button variant="secondary" size="sm" onClick={onChange}>
        Change prices and more
      </Button>
      <Button variant="secondary" size="sm" pending={isConfirming} onClick={onConfirm}>
        Confirm
      </Button>
      <Button variant="secondary" size="sm" onClick={onInStock}>
        {inStock}
      </Button>
      <Button variant="secondary" size="sm" onClick={onOutOfStock}>
        {outOfStock}
      </Button>
      <Button variant="secondary" size="sm" onClick={onRemove}>
        Remove
      </Button>
      <IconButton label="Clear selection" size="sm" className="ml-auto" onClick={onClear}>
        <X aria-hidden="true" />
      </IconButton>
    </section>
  )
}

/** The table needs at least this width, Tailwind's `md`. */
const wide = window.matchMedia('(min-width: 48rem)')

function subscribe(listener: () => void) {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

const useHasRoomForTable = (): boolean => useSyncExternalStore(subscribe, () => wide.matches)

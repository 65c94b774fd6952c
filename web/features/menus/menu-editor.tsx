import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { useState } from 'react'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import type { ProductCategory } from '../../../contracts/menus.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { MorePages } from '../../ui/more-pages.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useRemoved } from '../posts/use-removed.ts'
import { CheckedBar } from './checked-bar.tsx'
import { everyItem } from './every-item.ts'
import { ItemDialog } from './item-dialog.tsx'
import { MenuCards } from './menu-cards.tsx'
import { columns, inStock, outOfStock } from './menu-columns.ts'
import { conflictsOf, isNewRow, keptMine, withoutRows, withWrites } from './menu-edits.ts'
import { type GridItem, MenuGrid } from './menu-grid.tsx'
import { MenuToolbar } from './menu-toolbar.tsx'
import { menuItemsOptions, menuSettingsOptions } from './menus.api.ts'
import { roomLeft } from './room-words.ts'
import { makeRowId } from './row-id.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import { UnsavedBar } from './unsaved-bar.tsx'
import { useCalmText } from './use-calm-text.ts'
import { useHasRoomForTable } from './use-has-room-for-table.ts'
import { useConfirmMenu, useRemoveItems } from './use-menu-actions.ts'
import { useMenuEdits } from './use-menu-edits.ts'
import { useSaveEdits } from './use-save-edits.ts'

/** So many rows can be typed or pasted before they are saved: more is an import. */
const mostNewRows = 200

/** The menu, for those who keep it: a table on a wide screen, cards on a phone. */
export function MenuEditor({ business }: { business: MyBusiness }) {
  const client = useQueryClient()
  const [filter, setFilter] = useState<{ text: string; category: ProductCategory | null }>({ text: '', category: null })
  const q = useCalmText(filter.text.trim()).slice(0, 120)
  const query = { ...(q && { q }), ...(filter.category && { category: filter.category }) }
  const list = useInfiniteQuery({ ...menuItemsOptions(business.id, query), placeholderData: keepPreviousData, refetchOnMount: 'always' })
  const { data: settings } = useQuery(menuSettingsOptions(business.id))
  const steps = useMenuEdits(business.id)
  const { edits, change, settle } = steps
  const saving = useSaveEdits(business.id, steps)
  const { confirm, isConfirming, isConfirmingAll } = useConfirmMenu(business.id)
  const removeItems = useRemoveItems(business.id)
  const removed = useRemoved()
  const hasTable = useHasRoomForTable()
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<string | null>(null)
  const [dialog, setDialog] = useState<'settings' | null>(null)
  const [goTo, setGoTo] = useState<{ id: string; column: number } | null>(null)
  // The row at the table's end, until something is typed into it.
  const [nextRow, setNextRow] = useState(makeRowId)
  const items = (list.data?.pages.flatMap((page) => page.items) ?? []).filter(({ id }) => !removed.has(id))
  const byId = everyItem(client, business.id, list.data)
  const conflicts = conflictsOf(edits, byId)
  const newIds = Object.keys(edits).filter(isNewRow)
  const room = settings ? roomLeft(settings) - newIds.length : Number.POSITIVE_INFINITY
  if (newIds.includes(nextRow)) setNextRow(makeRowId())

  const rows: GridItem[] = [...items.map((item) => ({ id: item.id, item })), ...newIds.map((id) => ({ id, item: undefined }))]
  const openedItem = opened === null ? undefined : byId.get(opened)
  const picked = items.filter(({ id }) => checked.has(id))
  const isNarrowed = q !== '' || filter.category !== null
  const isEmpty = list.data !== undefined && rows.length === 0 && !isNarrowed && !list.isPlaceholderData

  function toggleChecked(id: string) {
    setChecked((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }

  function firstError(id?: string) {
    const row = id ?? Object.entries(saving.errors).find(([, cells]) => Object.keys(cells).length > 0)?.[0]
    if (row === undefined) return
    const column = columns.findIndex(({ key }) => saving.errors[row]?.[key] !== undefined)
    setGoTo({ id: row, column: Math.max(0, column) })
    if (!hasTable && byId.has(row)) setOpened(row)
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
        picked.map(({ id }) => ({ id, key: 'isAvailable', text })),
      ),
    )

  if (list.isPending) return <EditorSkeleton />
  if (!list.data) {
    return (
      <ErrorState
        title="The menu could not be loaded"
        description={messageOf(list.error)}
        onRetry={() => void list.refetch()}
        pending={list.isFetching}
      />
    )
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
        oldest={items.reduce<string | null>(
          (least, { confirmedAt }) => (least === null || confirmedAt < least ? confirmedAt : least),
          null,
        )}
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
              ? 'Type or paste your first items into the table, fill in the form, or import a file you have.'
              : 'Add your first item, or import a file you have.'
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
      {hasTable &&
        (picked.length > 0 ? (
          <CheckedBar
            count={picked.length}
            isConfirming={isConfirming}
            onConfirm={() => confirm(picked.map(({ id }) => id))}
            onInStock={() => setStock(inStock)}
            onOutOfStock={() => setStock(outOfStock)}
            onRemove={() => remove(picked)}
            onClear={() => setChecked(new Set())}
          />
        ) : null)}
      {hasTable && (
        <MenuGrid
          rows={room > 0 && newIds.length < mostNewRows ? [...rows, { id: nextRow, item: undefined }] : rows}
          hasBlankRow={room > 0 && newIds.length < mostNewRows}
          edits={edits}
          errors={saving.errors}
          conflicts={conflicts}
          checked={checked}
          moreRows={(count) => Array.from({ length: Math.max(0, Math.min(count, room - 1, mostNewRows - newIds.length - 1)) }, makeRowId)}
          tooMany={
            Number.isFinite(room)
              ? 'There is no room for more items. Business Tools has no limit.'
              : 'For this many new items, import a file.'
          }
          onWrite={(writes) => change((now) => withWrites(now, byId, writes))}
          onUndo={steps.undo}
          onRedo={steps.redo}
          onSave={save}
          onCheck={toggleChecked}
          onOpen={setOpened}
          onNearEnd={() => list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError && void list.fetchNextPage()}
          goTo={goTo}
        />
      )}
      {!hasTable && (
        <MenuCards
          rows={rows}
          edits={edits}
          errors={saving.errors}
          conflicts={conflicts}
          currency={settings?.currency ?? 'USD'}
          onWrite={(writes) => change((now) => withWrites(now, byId, writes))}
          onOpen={setOpened}
          onConfirm={(id) => confirm([id])}
        />
      )}
      {rows.length === 0 && isNarrowed && (
        <div className="grid justify-items-center gap-3 py-8 text-center">
          <p className="font-medium">Nothing on this menu matches.</p>
          <Button variant="secondary" onClick={() => setFilter({ text: '', category: null })}>
            Show the whole menu
          </Button>
        </div>
      )}
      {(!hasTable || list.isFetchNextPageError) && <MorePages list={list} />}
      <UnsavedBar
        edits={edits}
        errors={saving.errors}
        conflicts={conflicts}
        steps={steps}
        isSaving={saving.isSaving}
        error={saving.error}
        onSave={save}
        onDiscard={discard}
        onFirstError={() => firstError()}
        onKeepMine={(id) => settle((now) => keptMine(now, byId, id))}
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

// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be rendered in parts
// biome-ignore-all lint/a11y/useFocusableInteractive: only data cells take focus
import { type KeyboardEvent, type UIEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { MenuItem } from '#contracts/menus.ts'
import {
  type CellErrors,
  type Conflict,
  cellKey,
  type Edits,
  firstVariant,
  type RowEdit,
  shownText,
  shownVariants,
  type Write,
} from '#web/entities/menus/menu-edits.ts'
import { columns, inStock, isItemField, outOfStock } from '#web/entities/menus/menu-fields.ts'
import { formatNumber } from '#web/lib/format.ts'
import { CheckboxBox } from '#web/ui/checkbox.tsx'
import { cx } from '#web/ui/cx.ts'
import { type Cell, type CellText, isOneCell, selectCell } from '#web/ui/sheet/grid-moves.ts'
import { useGrid } from '#web/ui/sheet/use-grid.ts'
import { toast } from '#web/ui/toast-store.ts'
import {
  confirmedWidth,
  type GridActions,
  GridRow,
  gutterWidth,
  headHeight,
  rowHeight,
  rowsInView,
  scrollTo,
  tableWidth,
} from './grid-row.tsx'
import { makeRowId } from './use-menu-edits.ts'

type MenuGridProps = {
  rows: readonly GridItem[]
  hasBlankRow: boolean
  edits: Edits
  errors: CellErrors
  conflicts: readonly Conflict[]
  checked: ReadonlySet<string>
  /** Returns the IDs of up to `count` new items after the last one, fewer at the limit. */
  moreItems: (count: number) => string[]
  tooMany: string
  onWrite: (writes: Write[]) => void
  onUndo: () => void
  onRedo: () => void
  onSave: () => void
  /** `isRange` includes all items between this one and the one selected last. */
  onCheck: (id: string, isRange: boolean) => void
  onCheckAll: (isOn: boolean) => void
  allChecked: 'none' | 'some' | 'all'
  onOpen: (id: string) => void
  onAddSize: (id: string) => void
  onRemoveSize: (id: string, variant: string) => void
  onNearEnd: () => void
  /** Focuses a cell, by the row's ID. A new object focuses the same cell again. */
  goTo: { id: string; column: number } | null
}

export function MenuGrid({ rows, hasBlankRow, edits, errors, conflicts, checked, ...props }: MenuGridProps) {
  const {
    moreItems,
    tooMany,
    onWrite,
    onUndo,
    onRedo,
    onSave,
    onCheck,
    onCheckAll,
    allChecked,
    onOpen,
    onAddSize,
    onRemoveSize,
    onNearEnd,
    goTo,
  } = props
  const [view, setView] = useState({ start: 0, end: 40 })
  const scroller = useRef<HTMLDivElement>(null)
  const textAt = (row: number, column: number) => {
    const at = rows[row]
    return at ? shownText(edits[at.itemId], at.item, columns[column]!.key, at.variant) : ''
  }
  const isReadOnly = ({ row, column }: Cell) => rows[row]?.isFirst === false && isItemField(columns[column]!.key)

  function reveal(cell: Cell) {
    const element = scroller.current
    if (!element) return
    const { top, left } = scrollTo(cell, {
      scrollTop: element.scrollTop,
      scrollLeft: element.scrollLeft,
      width: element.clientWidth,
      height: element.clientHeight,
    })
    if (top !== element.scrollTop || left !== element.scrollLeft) element.scrollTo({ top, left })
  }

  function write(cells: readonly CellText[]) {
    const last = rows.length - 1
    const added = newPlaces(cells, rows, moreItems)
    const writes = cells.flatMap(({ row, column, text }) => {
      const at = rows[row] ?? added.get(row)
      const { key } = columns[column]!
      return at && (at.isFirst || !isItemField(key)) ? [{ id: at.itemId, variant: at.variant, key, text }] : []
    })
    onWrite(writes)
    const leftOut = new Set(cells.flatMap(({ row }) => (row > last && !added.has(row) ? [row] : []))).size
    if (leftOut > 0) {
      const title = leftOut === 1 ? 'The last row wasn’t pasted' : `The last ${formatNumber(leftOut)} rows weren’t pasted`
      toast({ title, description: tooMany, variant: 'destructive' })
    }
  }

  function toggle(row: number) {
    const column = columns.findIndex(({ kind }) => kind === 'switch')
    write([{ row, column, text: textAt(row, column) === outOfStock ? inStock : outOfStock }])
  }

  function onKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent, { row }: Cell): boolean {
    const command = ctrlKey || metaKey
    const at = rows[row]
    if (command && key === 'Enter') {
      if (at?.item) onOpen(at.itemId)
    } else if (altKey && key === 'Enter') {
      if (at && !(hasBlankRow && row === rows.length - 1)) onAddSize(at.itemId)
    } else if (altKey && (key === 'Delete' || key === 'Backspace')) {
      if (at && !(at.isFirst && at.isLast)) onRemoveSize(at.itemId, at.variant)
    } else if (command && key.toLowerCase() === 's') onSave()
    else if (key === ' ' && shiftKey && !command && !altKey) {
      if (at?.item) onCheck(at.itemId, false)
    } else return false
    return true
  }

  const {
    active,
    range,
    editing,
    go,
    props: gridProps,
    onDone,
    onCancel,
  } = useGrid({
    root: scroller,
    rows,
    columns: columns.length,
    hasBlankRow,
    textAt,
    write,
    onUndo,
    onRedo,
    pageRows: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 2),
    reveal,
    switches: { isSwitch: (column) => columns[column]?.kind === 'switch', toggle, blankText: inStock },
    isReadOnly,
    onKey,
  })

  const goToRow = useEffectEvent((id: string, column: number) => {
    const row = rows.findIndex((each) => each.id === id)
    if (row !== -1) go(selectCell(row, column))
  })
  useEffect(() => {
    if (goTo) goToRow(goTo.id, goTo.column)
  }, [goTo])

  function look() {
    const element = scroller.current
    if (!element) return
    const next = rowsInView(element.scrollTop, element.clientHeight, rows.length)
    setView((before) => (before.start === next.start && before.end === next.end ? before : next))
    if (next.end > rows.length - 30) onNearEnd()
  }
  const lookAgain = useEffectEvent(look)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view depends on the number of rows
  useEffect(() => lookAgain(), [rows.length])

  const actions: GridActions = { onToggle: toggle, onCheck, onOpen, onAddSize, onRemoveSize }
  // Stable callbacks for memoized rows. `latest` has the current behavior.
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  const [steady] = useState<GridActions>(() => ({
    onToggle: (row) => latest.current.onToggle(row),
    onCheck: (id, isRange) => latest.current.onCheck(id, isRange),
    onOpen: (id) => latest.current.onOpen(id),
    onAddSize: (id) => latest.current.onAddSize(id),
    onRemoveSize: (id, variant) => latest.current.onRemoveSize(id, variant),
  }))

  const contested = new Set(conflicts.map(({ id }) => id))
  const drawn = rows.map((each, row) => ({ ...each, row })).slice(view.start, view.end)
  const activeRow = rows[active.row]
  // The active row stays rendered while scrolled away, so it keeps focus, and in DOM order, because moving an element drops focus.
  if (activeRow && active.row < view.start) drawn.unshift({ ...activeRow, row: active.row })
  if (activeRow && active.row >= view.end) drawn.push({ ...activeRow, row: active.row })
  const activeError = activeRow && errors[activeRow.itemId]?.[cellKey(columns[active.column]!.key, activeRow.variant)]

  return (
    <div className="overflow-clip rounded-card border border-line bg-surface">
      <div
        ref={scroller}
        role="grid"
        aria-label="Menu"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 2}
        aria-multiselectable="true"
        aria-describedby="menu-grid-keys"
        onScroll={(_: UIEvent) => look()}
        {...gridProps}
        className="relative max-h-[max(20rem,calc(100dvh-19rem))] overflow-auto overscroll-x-contain"
      >
        <GridHead allChecked={allChecked} onCheckAll={onCheckAll} />
        <div role="rowgroup" className="relative" style={{ height: rows.length * rowHeight, width: tableWidth }}>
          {drawn.map(({ id, itemId, variant, item, isFirst, isLast, row }) => {
            const isInRange = row >= range.top && row <= range.bottom
            const isActive = row === active.row
            return (
              <GridRow
                key={id}
                row={row}
                id={itemId}
                variant={variant}
                isFirst={isFirst}
                isLast={isLast}
                item={item}
                edit={edits[itemId]}
                errors={errors[itemId]}
                hasConflict={contested.has(itemId)}
                isBlank={hasBlankRow && row === rows.length - 1}
                isChecked={checked.has(itemId)}
                activeColumn={isActive ? active.column : null}
                left={isInRange && !isOneCell(range) ? range.left : null}
                right={isInRange && !isOneCell(range) ? range.right : null}
                editor={isActive && editing ? { ...editing, onDone, onCancel } : null}
                actions={steady}
              />
            )
          })}
        </div>
      </div>
      <p className="flex min-h-9 flex-wrap items-center gap-x-4 border-line border-t bg-sunk px-3 py-1.5 text-muted text-xs" role="status">
        {activeError ? (
          <span className="font-medium text-clay">{activeError}</span>
        ) : isReadOnly(active) ? (
          <span>All sizes of an item share this value. Edit it in the item’s first row.</span>
        ) : columns[active.column]?.kind === 'switch' && !editing ? (
          <span>
            Type {inStock}, {outOfStock} or the quantity on hand. Press Space or click again to switch between {inStock} and {outOfStock}.
          </span>
        ) : (
          <span id="menu-grid-keys">
            Type to replace, Enter to edit, Ctrl+D to fill down, Alt+Enter to add a size, Ctrl+Enter to open an item. Copy and paste work
            with spreadsheets. Press Escape, then Tab to leave the table.
          </span>
        )}
      </p>
    </div>
  )
}

function GridHead({ allChecked, onCheckAll }: Pick<MenuGridProps, 'allChecked' | 'onCheckAll'>) {
  const cell = 'flex shrink-0 items-center border-r px-2.5 font-medium text-muted text-xs'
  return (
    <div role="rowgroup" className="sticky top-0 z-3 bg-sunk" style={{ width: tableWidth }}>
      <div role="row" aria-rowindex={1} className="flex border-line border-b" style={{ height: headHeight }}>
        <div
          role="columnheader"
          aria-colindex={1}
          className="sticky left-0 z-1 flex shrink-0 items-center border-line border-r bg-sunk px-2"
          style={{ width: gutterWidth }}
        >
          <CheckboxBox
            aria-label="Select all items"
            indeterminate={allChecked === 'some'}
            checked={allChecked === 'all'}
            onChange={() => onCheckAll(allChecked === 'none')}
          />
        </div>
        {columns.map(({ key, label, kind, width }, index) => (
          <div
            key={key}
            role="columnheader"
            aria-colindex={index + 2}
            className={cx(
              cell,
              index === 0 ? 'sticky z-1 border-line bg-sunk' : 'border-line/60',
              (kind === 'price' || kind === 'number') && 'justify-end',
            )}
            style={{ width, ...(index === 0 && { left: gutterWidth }) }}
          >
            {label}
          </div>
        ))}
        <div
          role="columnheader"
          aria-colindex={columns.length + 2}
          className={cx(cell, 'border-transparent')}
          style={{ width: confirmedWidth }}
        >
          Confirmed
        </div>
      </div>
    </div>
  )
}

/** Each row is a variant of an item. */
type GridItem = {
  id: string
  itemId: string
  variant: string
  item: MenuItem | undefined
  isFirst: boolean
  isLast: boolean
}

export const itemRows = (itemId: string, item: MenuItem | undefined, edit: RowEdit | undefined): GridItem[] =>
  shownVariants(edit, item).map((variant, index, all) => ({
    id: rowId(itemId, variant),
    itemId,
    variant,
    item,
    isFirst: index === 0,
    isLast: index === all.length - 1,
  }))
export const rowId = (itemId: string, variant: string) => `${itemId} ${variant}`

/** Makes rows for text pasted below the last row. Consecutive rows with the same name are sizes of one item. */
export function newPlaces(
  cells: readonly CellText[],
  rows: readonly GridItem[],
  moreItems: (count: number) => string[],
): Map<number, GridItem> {
  const last = rows.length - 1
  const nameColumn = columns.findIndex(({ key }) => key === 'name')
  const names = new Map(cells.flatMap(({ row, column, text }) => (column === nameColumn ? [[row, text.trim()] as const] : [])))
  const written = [...new Set(cells.map(({ row }) => row))].filter((row) => row > last).sort((a, b) => a - b)
  const isSize = (row: number) => Boolean(names.get(row)) && names.get(row) === names.get(row - 1)
  const ids = moreItems(written.filter((row) => !isSize(row)).length)
  const places = new Map<number, GridItem>()
  let next = 0
  for (const row of written) {
    const before = places.get(row - 1) ?? (row - 1 === last ? rows[last] : undefined)
    const isOneMore = isSize(row) && before !== undefined && before.item === undefined
    const itemId = isOneMore ? before.itemId : ids[next++]
    if (itemId === undefined) break
    const variant = isOneMore ? makeRowId() : firstVariant
    places.set(row, { id: rowId(itemId, variant), itemId, variant, item: undefined, isFirst: !isOneMore, isLast: true })
  }
  return places
}

// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be drawn a part at a time
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the cells of the data
import { type ClipboardEvent, type KeyboardEvent, type UIEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { MenuItem } from '#contracts/menus.ts'
import { type CellErrors, type Conflict, type Edits, shownText, type Write } from '#web/entities/menus/menu-edits.ts'
import { columns, inStock, outOfStock } from '#web/entities/menus/menu-fields.ts'
import { cx } from '#web/ui/cx.ts'
import {
  type CellText,
  clamped,
  filledDown,
  isIn,
  isOneCell,
  moved,
  pasted,
  rangeOf,
  type Selection,
  selectCell,
  shifted,
} from '#web/ui/sheet/grid-moves.ts'
import { formatTsv, parseTsv } from '#web/ui/sheet/tsv.ts'
import { toast } from '#web/ui/toast-store.ts'
import type { AfterEdit } from './grid-cell-editor.tsx'
import { confirmedWidth, gutterWidth, headHeight, rowHeight, rowsInView, scrollTo, tableWidth } from './grid-layout.ts'
import { type GridActions, GridRow } from './grid-row.tsx'

export type GridItem = { id: string; item: MenuItem | undefined }

type MenuGridProps = {
  rows: readonly GridItem[]
  hasBlankRow: boolean
  edits: Edits
  errors: CellErrors
  conflicts: readonly Conflict[]
  checked: ReadonlySet<string>
  /** Returns up to `count` ids for rows after the last one; fewer at the limit. */
  moreRows: (count: number) => string[]
  /** Explains why there were fewer. */
  tooMany: string
  onWrite: (writes: Write[]) => void
  onUndo: () => void
  onRedo: () => void
  onSave: () => void
  onCheck: (id: string) => void
  onOpen: (id: string) => void
  onNearEnd: () => void
  /** A cell to focus; a new object focuses it again. */
  goTo: { id: string; column: number } | null
}

const toCell: Record<AfterEdit, { key: string; shiftKey: boolean } | null> = {
  down: { key: 'ArrowDown', shiftKey: false },
  up: { key: 'ArrowUp', shiftKey: false },
  left: { key: 'ArrowLeft', shiftKey: false },
  right: { key: 'ArrowRight', shiftKey: false },
  next: { key: 'Tab', shiftKey: false },
  previous: { key: 'Tab', shiftKey: true },
  stay: null,
}

/** A menu as an editable table with spreadsheet keys. */
export function MenuGrid({ rows, hasBlankRow, edits, errors, conflicts, checked, ...props }: MenuGridProps) {
  const { moreRows, tooMany, onWrite, onUndo, onRedo, onSave, onCheck, onOpen, onNearEnd, goTo } = props
  const size = { rows: rows.length, columns: columns.length }
  const [chosen, setChosen] = useState<{ selection: Selection; id: string | undefined }>({ selection: selectCell(0, 0), id: rows[0]?.id })
  const select = (next: Selection) => setChosen({ selection: next, id: rows[next.active.row]?.id })
  // The selection follows its item when rows are inserted or removed above.
  const selection = clamped(shifted(chosen.selection, rowsAway(rows, chosen.id, chosen.selection.active.row)), size)
  const { active } = selection
  const range = rangeOf(selection)
  const [editing, setEditing] = useState<{ seed: string | null } | null>(null)
  const [view, setView] = useState({ start: 0, end: 40 })
  const scroller = useRef<HTMLDivElement>(null)
  // Move the focus only once the table has had it.
  const wantsFocus = useRef(false)
  // After Escape, Tab leaves the table instead of moving to the next cell.
  const isLeaving = useRef(false)
  const textAt = (row: number, column: number) => {
    const at = rows[row]
    return at ? shownText(edits[at.id], at.item, columns[column]!.key) : ''
  }

  function go(next: Selection) {
    wantsFocus.current = true
    select(next)
    const element = scroller.current
    if (!element) return
    const { top, left } = scrollTo(next.active, {
      scrollTop: element.scrollTop,
      scrollLeft: element.scrollLeft,
      width: element.clientWidth,
      height: element.clientHeight,
    })
    if (top !== element.scrollTop || left !== element.scrollLeft) element.scrollTo({ top, left })
  }

  useEffect(() => {
    if (editing || !wantsFocus.current) return
    wantsFocus.current = false
    scroller.current?.querySelector<HTMLElement>(`[data-cell="${active.row}:${active.column}"]`)?.focus({ preventScroll: true })
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of rows is another view
  useEffect(() => lookAgain(), [rows.length])

  function write(cells: readonly CellText[]) {
    const last = rows.length - 1
    const beyond = Math.max(0, ...cells.map(({ row }) => row - last))
    const added = beyond > 0 ? moreRows(beyond) : []
    const idAt = (row: number) => (row <= last ? rows[row]?.id : added[row - last - 1])
    onWrite(cells.flatMap(({ row, column, text }) => ({ id: idAt(row) ?? '', key: columns[column]!.key, text })).filter(({ id }) => id))
    if (added.length < beyond) {
      toast({ title: 'Not everything was pasted', description: tooMany, variant: 'destructive' })
    }
  }

  function eachSelected(text: (row: number, column: number) => string): CellText[] {
    const cells: CellText[] = []
    for (let row = range.top; row <= range.bottom; row++) {
      for (let column = range.left; column <= range.right; column++) cells.push({ row, column, text: text(row, column) })
    }
    return cells
  }

  function toggle(row: number) {
    const column = columns.findIndex(({ key }) => key === 'isAvailable')
    write([{ row, column, text: textAt(row, column) === outOfStock ? inStock : outOfStock }])
  }

  function edit(seed: string | null) {
    if (columns[active.column]?.kind === 'switch') return toggle(active.row)
    select(selectCell(active.row, active.column))
    setEditing({ seed })
  }

  /** @returns whether the key was handled */
  function act(event: KeyboardEvent): boolean {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event
    const command = ctrlKey || metaKey
    if (command && key === 'Enter') {
      const at = rows[active.row]
      if (at?.item) onOpen(at.id)
    } else if (command && key.toLowerCase() === 'd') write(filledDown(range, textAt))
    else if (command && key.toLowerCase() === 'z') (shiftKey ? onRedo : onUndo)()
    else if (command && key.toLowerCase() === 'y') onRedo()
    else if (command && key.toLowerCase() === 's') onSave()
    else if (command && key.toLowerCase() === 'a') {
      go({ anchor: { row: 0, column: 0 }, active: { row: Math.max(0, rows.length - (hasBlankRow ? 2 : 1)), column: columns.length - 1 } })
    } else if (command || altKey) return false
    else if (key === 'Enter' || key === 'F2') edit(null)
    else if (key === ' ' && shiftKey) {
      const at = rows[active.row]
      if (at?.item) onCheck(at.id)
    } else if (key === ' ' && columns[active.column]?.kind === 'switch') toggle(active.row)
    else if (key === 'Delete' || key === 'Backspace')
      write(eachSelected((_, column) => (columns[column]?.kind === 'switch' ? inStock : '')))
    else if (key === 'Escape') {
      isLeaving.current = true
      select(selectCell(active.row, active.column))
    } else if (key.length === 1) edit(key)
    else return false
    return true
  }

  function onKeyDown(event: KeyboardEvent) {
    if (editing || !(event.target as HTMLElement).dataset.cell) return
    const wasLeaving = isLeaving.current
    if (event.key !== 'Shift') isLeaving.current = false
    if (event.key === 'Tab' && wasLeaving) return
    const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 2)
    const next = event.altKey ? null : moved(selection, event, size, pageRows)
    if (next) {
      event.preventDefault()
      go(next)
    } else if (act(event)) event.preventDefault()
  }

  const onCopy = (event: ClipboardEvent) => {
    if (editing) return
    event.preventDefault()
    const lines = Array.from({ length: range.bottom - range.top + 1 }, (_, line) =>
      Array.from({ length: range.right - range.left + 1 }, (_, across) => textAt(range.top + line, range.left + across)),
    )
    event.clipboardData.setData('text/plain', formatTsv(lines))
  }

  const onPaste = (event: ClipboardEvent) => {
    if (editing) return
    event.preventDefault()
    const block = parseTsv(event.clipboardData.getData('text/plain'))
    const cells = pasted(block, range, columns.length)
    write(cells)
    const end = cells.at(-1)
    // The focused cell stays active.
    if (end) select({ active: { row: range.top, column: range.left }, anchor: { row: end.row, column: end.column } })
  }

  const actions: GridActions = {
    onSelect: (row, column, extend) => {
      if (editing) return
      wantsFocus.current = true
      isLeaving.current = false
      select(extend ? { anchor: selection.anchor, active: { row, column } } : selectCell(row, column))
    },
    onEdit: (row, column, seed) => {
      if (columns[column]?.kind === 'switch') return
      select(selectCell(row, column))
      setEditing({ seed })
    },
    onToggle: toggle,
    onDone: (row, column, text, after) => {
      setEditing(null)
      if (text !== textAt(row, column)) write([{ row, column, text }])
      const key = toCell[after]
      if (!key) return
      // Editing the blank row adds another row.
      const room = { ...size, rows: size.rows + 1 }
      go(moved(selectCell(row, column), { ...key, ctrlKey: false, metaKey: false }, room, 1) ?? selectCell(row, column))
    },
    onCancel: () => {
      wantsFocus.current = true
      setEditing(null)
    },
    onCheck,
    onOpen,
  }
  // Stable callbacks for the memoized rows; `latest` has the current behavior.
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  const [steady] = useState<GridActions>(() => ({
    onSelect: (...given) => latest.current.onSelect(...given),
    onEdit: (...given) => latest.current.onEdit(...given),
    onToggle: (...given) => latest.current.onToggle(...given),
    onDone: (...given) => latest.current.onDone(...given),
    onCancel: () => latest.current.onCancel(),
    onCheck: (id) => latest.current.onCheck(id),
    onOpen: (id) => latest.current.onOpen(id),
  }))

  const contested = new Set(conflicts.map(({ id }) => id))
  const drawn = rows.map((each, row) => ({ ...each, row })).slice(view.start, view.end)
  const activeRow = rows[active.row]
  // The active row stays rendered, to keep the focus when scrolled away, and in DOM order, because moving an element drops the focus.
  if (activeRow && active.row < view.start) drawn.unshift({ ...activeRow, row: active.row })
  if (activeRow && active.row >= view.end) drawn.push({ ...activeRow, row: active.row })
  const activeError = activeRow && errors[activeRow.id]?.[columns[active.column]!.key]

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
        onKeyDown={onKeyDown}
        onCopy={onCopy}
        onCut={(event) => {
          onCopy(event)
          if (!editing) write(eachSelected((_, column) => (columns[column]?.kind === 'switch' ? inStock : '')))
        }}
        onPaste={onPaste}
        className="relative max-h-[max(20rem,calc(100dvh-19rem))] overflow-auto overscroll-x-contain"
      >
        <GridHead />
        <div role="rowgroup" className="relative" style={{ height: rows.length * rowHeight, width: tableWidth }}>
          {drawn.map(({ id, item, row }) => {
            const isInRange = row >= range.top && row <= range.bottom
            const isActive = row === active.row
            return (
              <GridRow
                key={id}
                row={row}
                id={id}
                item={item}
                edit={edits[id]}
                errors={errors[id]}
                hasConflict={contested.has(id)}
                isBlank={hasBlankRow && row === rows.length - 1}
                isChecked={checked.has(id)}
                activeColumn={isActive ? active.column : null}
                left={isInRange && !isOneCell(range) ? range.left : null}
                right={isInRange && !isOneCell(range) ? range.right : null}
                seed={isActive && editing ? editing.seed : null}
                isEditing={isActive && editing !== null && isIn(range, row, active.column)}
                actions={steady}
              />
            )
          })}
        </div>
      </div>
      <p className="flex min-h-9 flex-wrap items-center gap-x-4 border-line border-t bg-sunk px-3 py-1.5 text-muted text-xs" role="status">
        {activeError ? (
          <span className="font-medium text-clay">{activeError}</span>
        ) : (
          <span id="menu-grid-keys">
            Type to replace, Enter to edit, Ctrl+D to fill down, Ctrl+Enter to open an item. Copy and paste work with spreadsheets. Press
            Escape, then Tab to leave the table.
          </span>
        )}
      </p>
    </div>
  )
}

/** How many rows the item moved since it was selected; 0 if it was removed. */
function rowsAway(rows: readonly GridItem[], id: string | undefined, row: number): number {
  if (id === undefined || rows[row]?.id === id) return 0
  const now = rows.findIndex((each) => each.id === id)
  return now === -1 ? 0 : now - row
}

function GridHead() {
  const cell = 'flex shrink-0 items-center border-r px-2.5 font-medium text-muted text-xs'
  return (
    <div role="rowgroup" className="sticky top-0 z-3 bg-sunk" style={{ width: tableWidth }}>
      <div role="row" aria-rowindex={1} className="flex border-line border-b" style={{ height: headHeight }}>
        <div
          role="columnheader"
          aria-colindex={1}
          className="sticky left-0 z-1 shrink-0 border-line border-r bg-sunk"
          style={{ width: gutterWidth }}
        >
          <span className="sr-only">Select and open</span>
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

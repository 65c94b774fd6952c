// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be drawn a part at a time
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the cells of the data
import { Maximize2, Plus } from 'lucide-react'
import { type KeyboardEvent, memo, useEffect, useId, useRef } from 'react'
import type { MenuField } from '#contracts/menu-fields.ts'
import type { MenuItem } from '#contracts/menus.ts'
import { Confirmed } from '#web/entities/menus/confirmed.tsx'
import { type RowEdit, shownText } from '#web/entities/menus/menu-edits.ts'
import { type Column, columns, inStock, outOfStock } from '#web/entities/menus/menu-fields.ts'
import { findStrains } from '#web/entities/strains/strains.api.ts'
import { cx } from '#web/ui/cx.ts'
import { type CellEditorProps, CellInput, cellEditorLook } from '#web/ui/sheet/cell-input.tsx'
import { type KeyMove, moveAfterEdit } from '#web/ui/sheet/grid-moves.ts'
import { useAsyncOptions } from '#web/ui/use-combobox.ts'

export type GridActions = {
  onToggle: (row: number) => void
  onCheck: (id: string) => void
  onOpen: (id: string) => void
}

type GridRowProps = {
  row: number
  id: string
  item: MenuItem | undefined
  edit: RowEdit | undefined
  errors: Partial<Record<MenuField, string>> | undefined
  hasConflict: boolean
  /** The last row, for a new item. */
  isBlank: boolean
  isChecked: boolean
  activeColumn: number | null
  /** Selected columns of this row. */
  left: number | null
  right: number | null
  /** The edit of the active cell. */
  editor: Pick<CellEditorProps, 'seed' | 'onDone' | 'onCancel'> | null
  actions: GridActions
}

/** A table row. Memoized, because a table has a thousand cells. */
export const GridRow = memo(function GridRow({ row, id, item, edit, errors, hasConflict, isBlank, isChecked, ...props }: GridRowProps) {
  const { activeColumn, left, right, editor, actions } = props
  const name = shownText(edit, item, 'name') || (isBlank ? 'New item' : 'Item without a name')
  const isOut = shownText(edit, item, 'isAvailable') === outOfStock
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isChecked}
      className={cx('group absolute left-0 flex border-line border-b bg-surface', hasConflict && 'bg-clay-soft')}
      style={{ top: row * rowHeight, height: rowHeight, width: tableWidth }}
    >
      <div
        role="gridcell"
        aria-colindex={1}
        className={cx(
          'sticky left-0 z-2 flex shrink-0 items-center justify-between border-line border-r px-2',
          hasConflict ? 'bg-clay-soft' : 'bg-surface',
        )}
        style={{ width: gutterWidth }}
      >
        {isBlank ? (
          <Plus aria-hidden="true" className="mx-auto size-4 text-muted" />
        ) : (
          <>
            {item ? (
              <input
                type="checkbox"
                tabIndex={-1}
                aria-label={`Select ${name}`}
                checked={isChecked}
                onChange={() => actions.onCheck(id)}
                className="size-4 accent-leaf"
              />
            ) : (
              <span className="rounded-tag bg-leaf-soft px-1 font-medium text-leaf text-xs">New</span>
            )}
            {item && (
              <button
                type="button"
                tabIndex={-1}
                aria-label={`Open ${name}`}
                title="Open (Ctrl+Enter)"
                onClick={() => actions.onOpen(id)}
                className="grid size-6 place-items-center rounded-tag text-muted opacity-0 transition-opacity hover:bg-sunk hover:text-ink group-hover:opacity-100 pointer-coarse:opacity-100"
              >
                <Maximize2 aria-hidden="true" className="size-3.5" />
              </button>
            )}
          </>
        )}
      </div>
      {columns.map((column, index) => (
        <GridCell
          key={column.key}
          column={column}
          index={index}
          row={row}
          text={isBlank && !edit ? '' : shownText(edit, item, column.key)}
          isEdited={edit?.cells[column.key] !== undefined}
          isDimmed={isOut && column.key !== 'isAvailable'}
          error={errors?.[column.key]}
          isActive={index === activeColumn}
          isSelected={left !== null && right !== null && index >= left && index <= right}
          editor={index === activeColumn ? editor : null}
          label={`${column.label} of ${name}`}
          actions={actions}
        />
      ))}
      <div
        role="gridcell"
        aria-colindex={columns.length + 2}
        className="flex shrink-0 items-center px-2.5"
        style={{ width: confirmedWidth }}
      >
        {item && <Confirmed at={item.confirmedAt} className="whitespace-nowrap" />}
        {isBlank && <span className="sr-only">Type into this row to add an item</span>}
      </div>
    </div>
  )
})

type GridCellProps = {
  column: Column
  index: number
  row: number
  text: string
  isEdited: boolean
  isDimmed: boolean
  error: string | undefined
  isActive: boolean
  isSelected: boolean
  editor: GridRowProps['editor']
  label: string
  actions: GridActions
}

function GridCell({ column, index, row, text, isEdited, isDimmed, error, isActive, isSelected, ...props }: GridCellProps) {
  const { editor, label, actions } = props
  const isFigure = column.kind === 'price' || column.kind === 'number'
  return (
    <div
      role="gridcell"
      aria-colindex={index + 2}
      aria-selected={isSelected}
      aria-invalid={error ? true : undefined}
      data-cell={`${row}:${index}`}
      tabIndex={isActive ? 0 : -1}
      title={error}
      className={cx(
        'flex shrink-0 cursor-default select-none items-center border-r px-2.5 text-sm outline-none',
        index === 0 ? 'sticky z-1 border-line font-medium' : 'relative border-line/60',
        isFigure && 'justify-end tabular-nums',
        isDimmed && 'text-muted',
        error
          ? 'bg-clay-soft'
          : isSelected
            ? 'bg-leaf-soft'
            : isEdited
              ? index === 0
                ? 'bg-leaf-soft'
                : 'bg-leaf-soft/55'
              : index === 0 && 'bg-surface',
        isEdited && 'shadow-[inset_2px_0_0_var(--leaf)]',
        isActive && 'outline-2! -outline-offset-2 outline-solid! outline-focus!',
      )}
      style={{ width: column.width, ...(index === 0 && { left: gutterWidth }) }}
    >
      {column.kind === 'switch' ? (
        text && <StockMark isOut={text === outOfStock} label={label} text={text} onToggle={() => actions.onToggle(row)} />
      ) : (
        <span className="truncate">{text}</span>
      )}
      {isEdited && <span className="sr-only">, not saved</span>}
      {error && <span className="sr-only">, {error}</span>}
      {editor && <CellEditor column={column} text={text} label={label} {...editor} />}
    </div>
  )
}

function StockMark({ isOut, text, label, onToggle }: { isOut: boolean; text: string; label: string; onToggle: () => void }) {
  const other = isOut ? inStock : outOfStock
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`${label}: ${text}. Set to ${other}`}
      title={`Set to ${other}`}
      onClick={(event) => {
        event.stopPropagation()
        onToggle()
      }}
      onDoubleClick={(event) => event.stopPropagation()}
      className={cx(
        'inline-flex min-h-6 items-center gap-1.5 rounded-full px-2 font-medium text-xs',
        isOut ? 'bg-clay-soft text-clay' : 'bg-leaf-soft text-leaf',
      )}
    >
      <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />
      {text}
    </button>
  )
}

type MenuCellEditorProps = CellEditorProps & { column: Column }

/** A cell being edited. Enter, Tab and blur accept the text; Escape cancels. */
function CellEditor({ column, ...props }: MenuCellEditorProps) {
  if (column.kind === 'choice') return <ChoiceEditor column={column} {...props} />
  if (column.key === 'strain') return <StrainEditor {...props} />
  return <CellInput {...props} inputMode={column.kind === 'text' ? undefined : 'decimal'} className="px-2.5" />
}

function StrainEditor(props: CellEditorProps) {
  const listId = useId()
  const strains = useAsyncOptions({ load: findStrains, delay: 150, minLength: 2 })
  return (
    <>
      <CellInput {...props} inputMode={undefined} list={listId} onType={strains.request} className="px-2.5" />
      <datalist id={listId}>
        {strains.options.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

function ChoiceEditor({ column, text, seed, label, onDone, onCancel }: MenuCellEditorProps) {
  const select = useRef<HTMLSelectElement>(null)
  const isOver = useRef(false)
  const typed = useRef(seed ?? '')
  const isListOpen = useRef(false)
  const begunWith = (start: string) => column.choices?.find((choice) => choice.label.toLowerCase().startsWith(start.toLowerCase()))
  const begun = seed && begunWith(seed)
  useEffect(() => {
    select.current?.focus()
    // Started by typing: an open list would capture the next keys, including Enter.
    if (seed !== null) return
    try {
      select.current?.showPicker()
      isListOpen.current = true
    } catch {
      // Some browsers don't allow it; the keyboard still works.
    }
  }, [seed])

  function finish(move: KeyMove | null) {
    if (isOver.current) return
    isOver.current = true
    onDone(select.current?.value ?? text, move)
  }

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.key === 'Escape') {
      isOver.current = true
      return onCancel()
    }
    const move = moveAfterEdit(event, false)
    if (move) {
      event.preventDefault()
      return finish(move)
    }
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
    // The native type-ahead restarts after each pause and doesn't include the key that opened the cell.
    event.preventDefault()
    typed.current += event.key
    const found = begunWith(typed.current)
    if (found && select.current) select.current.value = found.label
  }

  return (
    <select
      ref={select}
      aria-label={label}
      defaultValue={begun ? begun.label : text}
      onKeyDown={onKeyDown}
      onChange={() => isListOpen.current && finish(null)}
      onBlur={() => finish(null)}
      className={cx(cellEditorLook, 'px-1.5')}
    >
      <option value="">None</option>
      {column.choices?.map((choice) => (
        <option key={choice.value} value={choice.label}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}

/** In pixels. */
export const rowHeight = 40
export const headHeight = 36
/** The first column, with the check box and the button that opens the item's form. */
export const gutterWidth = 68
export const confirmedWidth = 176

/** Left edge of each column, followed by the right edge of the last one. */
export const columnLefts: readonly number[] = Array.from({ length: columns.length + 1 }, (_, index) =>
  columns.slice(0, index).reduce((left, { width }) => left + width, gutterWidth),
)
export const tableWidth = (columnLefts.at(-1) as number) + confirmedWidth
/** Width of the sticky part: gutter and name. */
export const stickyWidth = columnLefts[1] as number

/** Rows are rendered in blocks of this size around the viewport. */
const step = 8

/** Rows to render for a scroll position; `end` is exclusive. */
export function rowsInView(scrollTop: number, height: number, count: number): { start: number; end: number } {
  const start = Math.max(0, Math.floor(scrollTop / rowHeight / step) * step - step)
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight / step) * step + step)
  return { start: Math.min(start, end), end }
}

/** Scroll position that brings a cell into view beside the sticky part. */
export function scrollTo(
  cell: { row: number; column: number },
  view: { scrollTop: number; scrollLeft: number; width: number; height: number },
): { top: number; left: number } {
  const top = cell.row * rowHeight
  const room = view.height - headHeight - rowHeight
  const left = columnLefts[cell.column] as number
  const right = columnLefts[cell.column + 1] as number
  return {
    top: Math.max(Math.min(view.scrollTop, top), top - room),
    left: cell.column === 0 ? view.scrollLeft : Math.max(Math.min(view.scrollLeft, left - stickyWidth), right - view.width),
  }
}

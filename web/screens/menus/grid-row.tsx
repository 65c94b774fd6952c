// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be rendered in parts
// biome-ignore-all lint/a11y/useFocusableInteractive: only data cells take focus
import { Maximize2, Plus, X } from 'lucide-react'
import { memo, type ReactNode, useRef } from 'react'
import type { MenuItem } from '#contracts/menus.ts'
import { Confirmed } from '#web/entities/menus/confirmed.tsx'
import { type CellErrors, cellKey, type RowEdit, shownSize, shownText } from '#web/entities/menus/menu-edits.ts'
import { type Column, columns, inStock, isItemField, outOfStock } from '#web/entities/menus/menu-fields.ts'
import { CheckboxBox } from '#web/ui/checkbox.tsx'
import { cx } from '#web/ui/cx.ts'
import type { CellEditorProps } from '#web/ui/sheet/cell-input.tsx'
import { CellEditor } from './grid-cell-editor.tsx'

export type GridActions = {
  onToggle: (row: number) => void
  onCheck: (id: string, isRange: boolean) => void
  onOpen: (id: string) => void
  onAddSize: (id: string) => void
  onRemoveSize: (id: string, variant: string) => void
}

type GridRowProps = {
  row: number
  id: string
  variant: string
  /** The item's own cells are in the row of its first variant. */
  isFirst: boolean
  isLast: boolean
  item: MenuItem | undefined
  edit: RowEdit | undefined
  errors: CellErrors[string] | undefined
  hasConflict: boolean
  isBlank: boolean
  isChecked: boolean
  activeColumn: number | null
  left: number | null
  right: number | null
  editor: Pick<CellEditorProps, 'seed' | 'onDone' | 'onCancel'> | null
  actions: GridActions
}

/** Memoized, because a table may have a thousand cells. */
export const GridRow = memo(function GridRow({ row, id, variant, item, edit, errors, hasConflict, isBlank, ...props }: GridRowProps) {
  const { isFirst, isLast, isChecked, activeColumn, left, right, editor, actions } = props
  const textOf = (key: Column['key']) => shownText(edit, item, key, variant)
  const name = textOf('name') || (isBlank ? 'New item' : 'Unnamed item')
  const size = shownSize(edit, item, variant)
  const isOut = textOf('isAvailable') === outOfStock
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isChecked}
      className={cx(
        'group absolute left-0 flex border-b bg-surface',
        isLast ? 'border-line' : 'border-line/40',
        hasConflict && 'bg-clay-soft',
      )}
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
        ) : isFirst ? (
          <>
            {item ? (
              <CheckboxBox
                tabIndex={-1}
                aria-label={`Select ${name}`}
                checked={isChecked}
                onChange={({ nativeEvent }) => actions.onCheck(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
              />
            ) : (
              <span className="rounded-tag bg-leaf-soft px-1 font-medium text-leaf text-xs">New</span>
            )}
            {item && (
              <RowButton label={`Open ${name}`} title="Open (Ctrl+Enter)" onClick={() => actions.onOpen(id)}>
                <Maximize2 aria-hidden="true" className="size-3.5" />
              </RowButton>
            )}
          </>
        ) : (
          <RowButton
            label={`Remove ${size || 'this size'} of ${name}`}
            title="Remove this size (Alt+Delete)"
            className="ml-auto"
            onClick={() => actions.onRemoveSize(id, variant)}
          >
            <X aria-hidden="true" className="size-4" />
          </RowButton>
        )}
      </div>
      {columns.map((column, index) => {
        const cell = cellKey(column.key, variant)
        const isOfItem = isItemField(column.key)
        const isRepeated = isOfItem && !isFirst
        return (
          <GridCell
            key={column.key}
            column={column}
            index={index}
            row={row}
            text={isBlank && !edit ? '' : textOf(column.key)}
            isRepeated={isRepeated}
            isEdited={!isRepeated && edit?.cells[cell] !== undefined}
            isDimmed={isOut && !isOfItem && column.key !== 'isAvailable'}
            error={isRepeated ? undefined : errors?.[cell]}
            isActive={index === activeColumn}
            isSelected={left !== null && right !== null && index >= left && index <= right}
            editor={index === activeColumn ? editor : null}
            label={`${column.label} of ${name}${size && !isOfItem ? `, ${size}` : ''}`}
            actions={actions}
          >
            {index === 0 && isLast && !isBlank && (
              <button
                type="button"
                tabIndex={-1}
                aria-label={`Add size to ${name}`}
                title="Add a size (Alt+Enter)"
                onClick={() => actions.onAddSize(id)}
                className={cx(
                  'inline-flex min-h-6 shrink-0 items-center gap-1 rounded-tag px-1.5 font-normal text-leaf text-xs hover:bg-leaf-soft',
                  isFirst
                    ? 'absolute right-1 bg-surface opacity-0 transition-opacity group-hover:opacity-100 pointer-coarse:opacity-100'
                    : 'ml-3',
                )}
              >
                <Plus aria-hidden="true" className="size-3.5" />
                Add size
              </button>
            )}
          </GridCell>
        )
      })}
      <div
        role="gridcell"
        aria-colindex={columns.length + 2}
        className="flex shrink-0 items-center px-2.5"
        style={{ width: confirmedWidth }}
      >
        {item && isFirst && <Confirmed at={item.confirmedAt} className="whitespace-nowrap" />}
        {isBlank && <span className="sr-only">Type in this row to add an item</span>}
      </div>
    </div>
  )
})

type RowButtonProps = { label: string; title: string; onClick: () => void; className?: string; children: ReactNode }

/** For the pointer only, because the keyboard has the shortcut that `title` names. */
const RowButton = ({ label, className, ...props }: RowButtonProps) => (
  <button
    type="button"
    tabIndex={-1}
    aria-label={label}
    className={cx(
      'grid size-6 place-items-center rounded-tag text-muted opacity-0 transition-opacity hover:bg-sunk hover:text-ink group-hover:opacity-100 pointer-coarse:opacity-100',
      className,
    )}
    {...props}
  />
)

type GridCellProps = {
  column: Column
  index: number
  row: number
  text: string
  /** In rows below an item's first, its own fields are hidden and read-only, but copying a row includes them. */
  isRepeated: boolean
  isEdited: boolean
  isDimmed: boolean
  error: string | undefined
  isActive: boolean
  isSelected: boolean
  editor: GridRowProps['editor']
  label: string
  actions: GridActions
  children: ReactNode
}

function GridCell({ column, index, row, text, isRepeated, isEdited, isDimmed, error, isActive, isSelected, ...props }: GridCellProps) {
  const { editor, label, actions, children } = props
  const isFigure = column.kind === 'price' || column.kind === 'number'
  return (
    <div
      role="gridcell"
      aria-colindex={index + 2}
      aria-selected={isSelected}
      aria-invalid={error ? true : undefined}
      aria-readonly={isRepeated || undefined}
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
      {column.kind === 'switch' && (text === inStock || text === outOfStock) ? (
        <StockMark isOut={text === outOfStock} isActive={isActive} label={label} text={text} onToggle={() => actions.onToggle(row)} />
      ) : (
        <span className={isRepeated ? 'sr-only' : 'truncate'}>{text}</span>
      )}
      {children}
      {isEdited && <span className="sr-only">, not saved</span>}
      {error && <span className="sr-only">, {error}</span>}
      {editor && <CellEditor column={column} text={text} label={label} {...editor} />}
    </div>
  )
}

type StockMarkProps = { isOut: boolean; isActive: boolean; text: string; label: string; onToggle: () => void }

/** The first press selects the cell. The next one, or a screen reader's click, changes its value. */
function StockMark({ isOut, isActive, text, label, onToggle }: StockMarkProps) {
  const other = isOut ? inStock : outOfStock
  const isSelecting = useRef(false)
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`${label}: ${text}. Set to ${other}`}
      title={isActive ? `Set to ${other}` : undefined}
      onPointerDown={() => {
        isSelecting.current = !isActive
      }}
      // Leave focus in the cell, so typing replaces its text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        event.stopPropagation()
        if (!isSelecting.current) onToggle()
        isSelecting.current = false
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

export const rowHeight = 40
export const headHeight = 36
/** In pixels. Holds the check box and the button that opens the item's form. */
export const gutterWidth = 68
export const confirmedWidth = 176

/** In pixels. The last one is the right edge of the last column. */
export const columnLefts: readonly number[] = Array.from({ length: columns.length + 1 }, (_, index) =>
  columns.slice(0, index).reduce((left, { width }) => left + width, gutterWidth),
)
export const tableWidth = (columnLefts.at(-1) as number) + confirmedWidth
/** In pixels: the gutter and the name. */
export const stickyWidth = columnLefts[1] as number

/** Rows render in blocks of this size around the viewport. */
const step = 8

/** `end` is exclusive. */
export function rowsInView(scrollTop: number, height: number, count: number): { start: number; end: number } {
  const start = Math.max(0, Math.floor(scrollTop / rowHeight / step) * step - step)
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight / step) * step + step)
  return { start: Math.min(start, end), end }
}

/** Returns the nearest scroll position that shows the cell, clear of the sticky part. */
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

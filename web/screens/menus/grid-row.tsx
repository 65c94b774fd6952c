// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be drawn a part at a time
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the cells of the data
import { Maximize2, Plus } from 'lucide-react'
import { memo } from 'react'
import type { MenuField } from '#contracts/menu-fields.ts'
import type { MenuItem } from '#contracts/menus.ts'
import { Confirmed } from '#web/entities/menus/confirmed.tsx'
import { type RowEdit, shownText } from '#web/entities/menus/menu-edits.ts'
import { type Column, columns, inStock, outOfStock } from '#web/entities/menus/menu-fields.ts'
import { cx } from '#web/ui/cx.ts'
import type { CellEditorProps } from '#web/ui/sheet/cell-input.tsx'
import { CellEditor } from './grid-cell-editor.tsx'
import { confirmedWidth, gutterWidth, rowHeight, tableWidth } from './grid-layout.ts'

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

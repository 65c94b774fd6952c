// biome-ignore-all lint/a11y/useSemanticElements: a table element doesn't tell screen readers that arrow keys move between cells
// biome-ignore-all lint/a11y/useFocusableInteractive: the data cells are focusable
import { memo, useRef, useState } from 'react'
import { cx } from '#web/ui/cx.ts'
import { toast } from '#web/ui/toast-store.ts'
import { type CellEditorProps, CellInput } from './cell-input.tsx'
import { type CellText, isIn, isOneCell } from './grid-moves.ts'
import { useGrid } from './use-grid.ts'

export type SheetColumn = {
  key: string
  label: string
  /** `decimal` opens the numeric keyboard. */
  kind: 'text' | 'decimal'
  /** In pixels. */
  width: number
  /** A cell's text is completed if exactly one of these starts with it. Other values are allowed. */
  choices?: readonly string[]
}
type SheetRow = { id: string; name: string; note?: string }
type SheetWrite = { id: string; key: string; text: string }

type SheetProps = {
  label: string
  rowLabel: string
  rows: readonly SheetRow[]
  columns: readonly SheetColumn[]
  /** By row and column. Missing cells are empty. */
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>
  errors: Readonly<Record<string, Readonly<Record<string, string>>>>
  onWrite: (writes: SheetWrite[]) => void
  onUndo: () => void
  onRedo: () => void
}

const pageRows = 12

/**
 * A small table with spreadsheet keys: arrows, Enter, Tab, Ctrl+D to fill down, copy, cut, paste, undo. Renders all rows, so don't use it
 * for more than a few hundred.
 */
export function Sheet({ label, rowLabel, rows, columns, texts, errors, onWrite, onUndo, onRedo }: SheetProps) {
  const table = useRef<HTMLDivElement>(null)
  const textAt = (row: number, column: number) => texts[rows[row]?.id ?? '']?.[columns[column]?.key ?? ''] ?? ''
  const write = (cells: readonly CellText[]) =>
    onWrite(
      cells.flatMap(({ row, column, text }) => {
        const at = rows[row]
        const key = columns[column]?.key
        return at && key ? [{ id: at.id, key, text }] : []
      }),
    )
  const { active, range, editing, props, onDone, onCancel } = useGrid({
    root: table,
    rows,
    columns: columns.length,
    textAt,
    write,
    onUndo,
    onRedo,
    pageRows: () => pageRows,
    reveal: ({ row, column }) =>
      table.current?.querySelector(`[data-cell="${row}:${column}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
  })

  return (
    <div
      ref={table}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      {...props}
      className="max-h-[min(34rem,calc(100dvh-16rem))] w-full overflow-auto overscroll-x-contain rounded-card border border-line bg-surface"
    >
      <div role="row" className="sticky top-0 z-3 flex w-max min-w-full border-line border-b bg-sunk">
        <div
          role="columnheader"
          className="sticky left-0 z-1 w-24 shrink-0 border-line border-r bg-sunk px-3 py-2.5 font-medium text-muted text-sm"
        >
          {rowLabel}
        </div>
        {columns.map(({ key, label: name, width }) => (
          <div
            key={key}
            role="columnheader"
            style={{ width }}
            className="shrink-0 border-line/60 border-r px-3 py-2.5 font-medium text-muted text-sm last:border-r-0"
          >
            {name}
          </div>
        ))}
      </div>
      {rows.map((each, row) => (
        <SheetLine
          key={each.id}
          each={each}
          row={row}
          columns={columns}
          texts={texts[each.id]}
          errors={errors[each.id]}
          activeColumn={row === active.row ? active.column : null}
          left={isIn(range, row, range.left) && !isOneCell(range) ? range.left : null}
          right={isIn(range, row, range.left) && !isOneCell(range) ? range.right : null}
          editing={row === active.row ? editing : null}
          onDone={row === active.row && editing ? onDone : undefined}
          onCancel={row === active.row && editing ? onCancel : undefined}
        />
      ))}
    </div>
  )
}

type LineProps = {
  each: SheetRow
  row: number
  columns: readonly SheetColumn[]
  texts: Readonly<Record<string, string>> | undefined
  errors: Readonly<Record<string, string>> | undefined
  activeColumn: number | null
  left: number | null
  right: number | null
  editing: { seed: string | null } | null
  onDone: CellEditorProps['onDone'] | undefined
  onCancel: (() => void) | undefined
}

const SheetLine = memo(function SheetLine({
  each,
  row,
  columns,
  texts,
  errors,
  activeColumn,
  left,
  right,
  editing,
  onDone,
  onCancel,
}: LineProps) {
  return (
    <div role="row" aria-rowindex={row + 2} className="flex w-max min-w-full border-line/60 border-b last:border-b-0">
      <div
        role="rowheader"
        className="sticky left-0 z-2 flex min-h-11 w-24 shrink-0 items-center gap-2 border-line border-r bg-surface px-3 font-semibold tabular-nums"
      >
        {each.name}
      </div>
      {columns.map(({ key, label, kind, width, choices }, column) => {
        const isActive = column === activeColumn
        const isSelected = left !== null && right !== null && column >= left && column <= right
        const text = texts?.[key] ?? ''
        const error = errors?.[key]
        const name = `${each.name}, ${label}`
        return (
          <div
            key={key}
            role="gridcell"
            data-cell={`${row}:${column}`}
            tabIndex={isActive ? 0 : -1}
            aria-label={`${name}: ${text === '' ? 'empty' : text}${error ? `. ${error}` : ''}`}
            aria-selected={isActive || isSelected}
            aria-invalid={error ? true : undefined}
            title={error}
            style={{ width }}
            className={cx(
              'relative flex shrink-0 cursor-default select-none items-center border-line/60 border-r px-3 text-sm outline-none last:border-r-0',
              kind === 'decimal' && 'tabular-nums',
              error ? 'bg-clay-soft text-clay' : isSelected && 'bg-leaf-soft',
              isActive && 'outline-2! -outline-offset-2 outline-solid! outline-focus!',
            )}
          >
            <span className="truncate">{text}</span>
            {isActive && editing && onDone && onCancel && (
              <CellInput
                label={name}
                inputMode={kind === 'decimal' ? 'decimal' : undefined}
                text={text}
                seed={editing.seed}
                complete={(typed) => completed(typed, choices)}
                onDone={onDone}
                onCancel={onCancel}
                className="px-3"
              />
            )}
          </div>
        )
      })}
    </div>
  )
})

/** Completes the text if only one choice starts with it. */
function completed(typed: string, choices: readonly string[] = []): string {
  const begun = choices.filter((choice) => typed !== '' && choice.toLowerCase().startsWith(typed.toLowerCase()))
  return begun.length === 1 ? (begun[0] as string) : typed
}

/** Call after saving a sheet that has errors. `outcome` ends the message, as in "Nothing was saved." */
export function toastRowErrors(rows: number, outcome: string): void {
  toast({
    title: rows === 1 ? '1 row has an error' : `${rows} rows have errors`,
    description: `See the marked cells. ${outcome}`,
    variant: 'destructive',
  })
}

export type SheetTexts = Readonly<Record<string, Readonly<Record<string, string>>>>

const maxUndoSteps = 100

export function useSheetTexts(first: SheetTexts = {}) {
  const [history, setHistory] = useState<{ past: readonly SheetTexts[]; now: SheetTexts; future: readonly SheetTexts[] }>({
    past: [],
    now: first,
    future: [],
  })
  return {
    texts: history.now,
    write(writes: readonly SheetWrite[]) {
      setHistory(({ past, now }) => ({ past: [...past.slice(-maxUndoSteps), now], now: written(now, writes), future: [] }))
    },
    /** For texts that no one typed: Undo doesn't restore what these cells contained before. */
    replace(writes: readonly SheetWrite[]) {
      const replaced = (texts: SheetTexts) => written(texts, writes)
      setHistory(({ past, now, future }) => ({ past: past.map(replaced), now: replaced(now), future: future.map(replaced) }))
    },
    undo() {
      setHistory((all) => {
        const before = all.past.at(-1)
        return before ? { past: all.past.slice(0, -1), now: before, future: [all.now, ...all.future] } : all
      })
    },
    redo() {
      setHistory((all) => {
        const [next, ...future] = all.future
        return next ? { past: [...all.past, all.now], now: next, future } : all
      })
    },
    clear: () => setHistory({ past: [], now: {}, future: [] }),
  }
}

/** Unchanged rows are the same objects as before. */
export function written(texts: SheetTexts, writes: readonly SheetWrite[]): SheetTexts {
  const next: Record<string, Readonly<Record<string, string>>> = { ...texts }
  for (const { id, key, text } of writes) next[id] = { ...next[id], [key]: text }
  return next
}

// biome-ignore-all lint/a11y/useSemanticElements: the roles say that it is one to move in, which a table element does not
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the cells of the data
import { type ClipboardEvent, type KeyboardEvent, memo, type PointerEvent, useEffect, useRef, useState } from 'react'
import { cx } from '#web/ui/cx.ts'
import { type CellText, clamped, filledDown, isIn, isOneCell, moved, pasted, rangeOf, type Selection, selectCell } from './grid-moves.ts'
import { formatTsv, parseTsv } from './tsv.ts'

export type SheetColumn = {
  key: string
  label: string
  /** `decimal` opens the numeric keyboard. */
  kind: 'text' | 'decimal'
  /** In pixels. */
  width: number
  /** Suggestions while typing; other values are allowed. */
  choices?: readonly string[]
}
export type SheetRow = { id: string; name: string; note?: string }
export type SheetWrite = { id: string; key: string; text: string }

type SheetProps = {
  label: string
  /** Header of the row names. */
  rowLabel: string
  rows: readonly SheetRow[]
  columns: readonly SheetColumn[]
  /** By row and column; missing cells are empty. */
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>
  errors: Readonly<Record<string, Readonly<Record<string, string>>>>
  onWrite: (writes: SheetWrite[]) => void
  onUndo: () => void
  onRedo: () => void
}

const pageRows = 12

/**
 * A small editable table with spreadsheet keys: arrows, Enter, Tab, Ctrl+D to fill down, copy, cut, paste, undo. Renders all rows, so it is
 * meant for up to a few hundred.
 */
export function Sheet({ label, rowLabel, rows, columns, texts, errors, onWrite, onUndo, onRedo }: SheetProps) {
  const size = { rows: rows.length, columns: columns.length }
  const [chosen, select] = useState<Selection>(selectCell(0, 0))
  const selection = clamped(chosen, size)
  const { active } = selection
  const range = rangeOf(selection)
  const [editing, setEditing] = useState<{ seed: string | null } | null>(null)
  const table = useRef<HTMLDivElement>(null)
  const wantsFocus = useRef(false)
  // After Escape, Tab leaves the table instead of moving to the next cell.
  const isLeaving = useRef(false)

  const textAt = (row: number, column: number) => texts[rows[row]?.id ?? '']?.[columns[column]?.key ?? ''] ?? ''
  const write = (cells: readonly CellText[]) =>
    onWrite(
      cells.flatMap(({ row, column, text }) => {
        const at = rows[row]
        const key = columns[column]?.key
        return at && key ? [{ id: at.id, key, text }] : []
      }),
    )
  function go(next: Selection) {
    wantsFocus.current = true
    select(next)
  }
  useEffect(() => {
    if (editing || !wantsFocus.current) return
    wantsFocus.current = false
    const cell = table.current?.querySelector<HTMLElement>(`[data-cell="${active.row}:${active.column}"]`)
    cell?.focus({ preventScroll: true })
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })

  const eachSelected = (text: (row: number, column: number) => string): CellText[] => {
    const cells: CellText[] = []
    for (let row = range.top; row <= range.bottom; row++) {
      for (let column = range.left; column <= range.right; column++) cells.push({ row, column, text: text(row, column) })
    }
    return cells
  }

  /** @returns whether the table handled the key */
  function act({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
    const command = ctrlKey || metaKey
    if (command && key.toLowerCase() === 'd') write(filledDown(range, textAt))
    else if (command && key.toLowerCase() === 'z') (shiftKey ? onRedo : onUndo)()
    else if (command && key.toLowerCase() === 'y') onRedo()
    else if (command && key.toLowerCase() === 'a')
      go({ anchor: { row: 0, column: 0 }, active: { row: size.rows - 1, column: size.columns - 1 } })
    else if (command || altKey) return false
    else if (key === 'Enter' || key === 'F2') setEditing({ seed: null })
    else if (key === 'Delete' || key === 'Backspace') write(eachSelected(() => ''))
    else if (key === 'Escape') {
      isLeaving.current = true
      select(selectCell(active.row, active.column))
    } else if (key.length === 1) setEditing({ seed: key })
    else return false
    return true
  }

  function onKeyDown(event: KeyboardEvent) {
    if (editing || !(event.target as HTMLElement).dataset.cell) return
    const wasLeaving = isLeaving.current
    if (event.key !== 'Shift') isLeaving.current = false
    if (event.key === 'Tab' && wasLeaving) return
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
    const cells = pasted(parseTsv(event.clipboardData.getData('text/plain')), range, size.columns).filter(({ row }) => row < size.rows)
    write(cells)
    const end = cells.at(-1)
    if (end) select({ active: { row: range.top, column: range.left }, anchor: { row: end.row, column: end.column } })
  }

  function onDone(text: string, key: string | null, isBack: boolean) {
    setEditing(null)
    if (text !== textAt(active.row, active.column)) write([{ ...active, text }])
    if (key === null) return
    const next = moved(selectCell(active.row, active.column), { key, shiftKey: isBack, ctrlKey: false, metaKey: false }, size, 1)
    go(next ?? selectCell(active.row, active.column))
  }

  const cellOf = (event: PointerEvent): { row: number; column: number } | null => {
    const [row, column] = (event.target as HTMLElement).closest<HTMLElement>('[data-cell]')?.dataset.cell?.split(':').map(Number) ?? []
    return row === undefined || column === undefined ? null : { row, column }
  }

  return (
    <div
      ref={table}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      onKeyDown={onKeyDown}
      onCopy={onCopy}
      onCut={(event) => {
        onCopy(event)
        if (!editing) write(eachSelected(() => ''))
      }}
      onPaste={onPaste}
      onPointerDown={(event) => {
        const at = cellOf(event)
        if (!at || (editing && at.row === active.row && at.column === active.column) || event.button !== 0) return
        isLeaving.current = false
        wantsFocus.current = true
        select(event.shiftKey ? { anchor: selection.anchor, active: at } : { anchor: at, active: at })
      }}
      onPointerMove={(event) => {
        const at = event.buttons === 1 && event.pointerType === 'mouse' && !editing ? cellOf(event) : null
        if (at && (at.row !== active.row || at.column !== active.column)) select({ anchor: selection.anchor, active: at })
      }}
      onDoubleClick={() => setEditing({ seed: null })}
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
          onCancel={
            row === active.row && editing
              ? () => {
                  wantsFocus.current = true
                  setEditing(null)
                }
              : undefined
          }
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
  onDone: ((text: string, key: string | null, isBack: boolean) => void) | undefined
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
              <CellInput name={name} kind={kind} text={text} seed={editing.seed} choices={choices} onDone={onDone} onCancel={onCancel} />
            )}
          </div>
        )
      })}
    </div>
  )
})

type CellInputProps = {
  name: string
  kind: SheetColumn['kind']
  text: string
  seed: string | null
  choices: readonly string[] | undefined
  onDone: (text: string, key: string | null, isBack: boolean) => void
  onCancel: () => void
}

function CellInput({ name, kind, text, seed, choices, onDone, onCancel }: CellInputProps) {
  const [value, setValue] = useState(seed ?? text)
  const isOver = useRef(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
    if (seed === null) input.current?.select()
  }, [seed])

  function finish(given: string, key: string | null, isBack = false) {
    if (isOver.current) return
    isOver.current = true
    onDone(given, key, isBack)
  }

  /** Autocompletes if only one choice starts with the typed text. */
  const completed = (): string => {
    const begun = choices?.filter((choice) => value !== '' && choice.toLowerCase().startsWith(value.toLowerCase())) ?? []
    return begun.length === 1 ? (begun[0] as string) : value
  }

  return (
    <input
      ref={input}
      aria-label={name}
      value={value}
      inputMode={kind === 'decimal' ? 'decimal' : undefined}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setValue(event.target.value)}
      onBlur={() => finish(completed(), null)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape') {
          isOver.current = true
          return onCancel()
        }
        const isArrow = seed !== null && /^Arrow/.test(event.key)
        const key = event.key === 'Enter' ? (event.shiftKey ? 'ArrowUp' : 'ArrowDown') : event.key === 'Tab' || isArrow ? event.key : null
        if (key === null) return
        event.preventDefault()
        finish(completed(), key, event.key === 'Tab' && event.shiftKey)
      }}
      className="absolute inset-0 w-full bg-raised px-3 text-ink text-sm tabular-nums outline-2 outline-focus -outline-offset-2"
    />
  )
}

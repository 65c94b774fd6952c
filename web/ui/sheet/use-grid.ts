import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import {
  type Cell,
  type CellText,
  clamped,
  filledDown,
  type KeyMove,
  moved,
  pasted,
  rangeOf,
  type Selection,
  selectCell,
  shifted,
} from './grid-moves.ts'

type GridOptions = {
  /** Contains cells with `data-cell="row:column"`. */
  root: RefObject<HTMLElement | null>
  rows: readonly { id: string }[]
  columns: number
  /** The last row is for a new entry. Editing it adds another one, and selecting all leaves it out. */
  hasBlankRow?: boolean
  textAt: (row: number, column: number) => string
  /** Cells may be in rows after the last one. */
  write: (cells: readonly CellText[]) => void
  onUndo: () => void
  onRedo: () => void
  pageRows: () => number
  reveal: (cell: Cell) => void
  /**
   * Space changes a switch immediately; typing opens an editor as in other cells. `blankText` is the text that a switch gets when its cell
   * is cleared.
   */
  switches?: { isSwitch: (column: number) => boolean; toggle: (row: number) => void; blankText: string }
  /** People can select and copy these cells, but not edit them. `write` must leave them out. */
  isReadOnly?: (cell: Cell) => boolean
  /** @returns whether it handled the key */
  onKey?: (event: KeyboardEvent, active: Cell) => boolean
}

export function useGrid({ root, rows, columns, hasBlankRow = false, textAt, write, onUndo, onRedo, ...options }: GridOptions) {
  const { pageRows, reveal, switches, isReadOnly, onKey } = options
  const size = { rows: rows.length, columns }
  const [chosen, setChosen] = useState<{ selection: Selection; id: string | undefined }>({ selection: selectCell(0, 0), id: rows[0]?.id })
  const select = (next: Selection) => setChosen({ selection: next, id: rows[next.active.row]?.id })
  // Inserting or removing rows above moves the selection with its row.
  const selection = clamped(shifted(chosen.selection, rowsAway(rows, chosen.id, chosen.selection.active.row)), size)
  const { active } = selection
  const range = rangeOf(selection)
  const [editing, setEditing] = useState<{ seed: string | null } | null>(null)
  // Focus moves only after a key or press in the table.
  const wantsFocus = useRef(false)
  // After Escape, Tab leaves the table instead of moving to the next cell.
  const isLeaving = useRef(false)

  useEffect(() => {
    if (editing || !wantsFocus.current) return
    wantsFocus.current = false
    root.current?.querySelector<HTMLElement>(`[data-cell="${active.row}:${active.column}"]`)?.focus({ preventScroll: true })
  })

  function go(next: Selection) {
    wantsFocus.current = true
    select(next)
    reveal(next.active)
  }

  function edit({ row, column }: Cell, seed: string | null) {
    if (isReadOnly?.({ row, column })) return
    select(selectCell(row, column))
    setEditing({ seed })
  }

  function eachSelected(text: (row: number, column: number) => string): CellText[] {
    const cells: CellText[] = []
    for (let row = range.top; row <= range.bottom; row++) {
      for (let column = range.left; column <= range.right; column++) cells.push({ row, column, text: text(row, column) })
    }
    return cells
  }
  const empty = () => write(eachSelected((_, column) => (switches?.isSwitch(column) ? switches.blankText : '')))

  /** @returns whether it handled the key */
  function act(event: KeyboardEvent): boolean {
    if (onKey?.(event, active)) return true
    const { key, shiftKey, altKey } = event
    const command = event.ctrlKey || event.metaKey
    if (command && key.toLowerCase() === 'd') write(filledDown(range, textAt))
    else if (command && key.toLowerCase() === 'z') (shiftKey ? onRedo : onUndo)()
    else if (command && key.toLowerCase() === 'y') onRedo()
    else if (command && key.toLowerCase() === 'a') {
      const last = size.rows - (hasBlankRow ? 2 : 1)
      go({ anchor: { row: 0, column: 0 }, active: { row: Math.max(0, last), column: columns - 1 } })
    } else if (command || altKey) return false
    else if (key === 'Enter' || key === 'F2') edit(active, null)
    else if (key === 'Delete' || key === 'Backspace') empty()
    else if (key === 'Escape') {
      isLeaving.current = true
      select(selectCell(active.row, active.column))
    } else if (key === ' ' && switches?.isSwitch(active.column)) switches.toggle(active.row)
    else if (key.length === 1) edit(active, key)
    else return false
    return true
  }

  function onKeyDown(event: KeyboardEvent) {
    if (editing || !(event.target as HTMLElement).dataset.cell) return
    const wasLeaving = isLeaving.current
    if (event.key !== 'Shift') isLeaving.current = false
    if (event.key === 'Tab' && wasLeaving) return
    const next = event.altKey ? null : moved(selection, event, size, pageRows())
    if (next) {
      event.preventDefault()
      go(next)
    } else if (act(event)) event.preventDefault()
  }

  function onCopy(event: ClipboardEvent) {
    if (editing) return
    event.preventDefault()
    const lines = Array.from({ length: range.bottom - range.top + 1 }, (_, line) =>
      Array.from({ length: range.right - range.left + 1 }, (_, across) => textAt(range.top + line, range.left + across)),
    )
    event.clipboardData.setData('text/plain', formatTsv(lines))
  }

  function onPaste(event: ClipboardEvent) {
    if (editing) return
    event.preventDefault()
    const cells = pasted(parseTsv(event.clipboardData.getData('text/plain')), range, columns)
    write(cells)
    const end = cells.at(-1)
    // Select what was pasted, with its first cell active.
    if (end) go({ active: { row: range.top, column: range.left }, anchor: { row: end.row, column: end.column } })
  }

  const isActive = ({ row, column }: Cell) => row === active.row && column === active.column
  function choose(cell: Cell, isExtended: boolean) {
    wantsFocus.current = true
    isLeaving.current = false
    select({ active: cell, anchor: isExtended ? selection.anchor : cell })
  }

  return {
    selection,
    active,
    range,
    editing,
    go,
    props: {
      onKeyDown,
      onCopy,
      onPaste,
      onCut(event: ClipboardEvent) {
        onCopy(event)
        if (!editing) empty()
      },
      onPointerDown(event: PointerEvent) {
        const cell = cellOf(event.target)
        if (cell && !editing && event.button === 0) choose(cell, event.shiftKey)
      },
      onPointerMove(event: PointerEvent) {
        if (editing || event.buttons !== 1 || event.pointerType !== 'mouse') return
        const cell = cellOf(event.target)
        if (cell && !isActive(cell)) choose(cell, true)
      },
      // Screen readers can move focus without a key event, so activate the focused cell.
      onFocus(event: FocusEvent) {
        if (editing || !(event.target as HTMLElement).dataset.cell) return
        const cell = cellOf(event.target)
        if (cell && !isActive(cell)) choose(cell, false)
      },
      onDoubleClick(event: MouseEvent) {
        const cell = cellOf(event.target)
        if (cell && !editing) edit(cell, null)
      },
      onClick(event: MouseEvent) {
        // Touch screens don't have a double click, so a tap starts an edit.
        if (editing || (event.nativeEvent as globalThis.PointerEvent).pointerType !== 'touch') return
        const cell = cellOf(event.target)
        if (cell && isActive(cell) && !switches?.isSwitch(cell.column)) edit(cell, null)
      },
    },
    onDone(text: string, move: KeyMove | null) {
      setEditing(null)
      if (text !== textAt(active.row, active.column)) write([{ ...active, text }])
      if (!move) return
      const room = hasBlankRow ? { ...size, rows: size.rows + 1 } : size
      const from = selectCell(active.row, active.column)
      go(moved(from, { ...move, ctrlKey: false, metaKey: false }, room, 1) ?? from)
    },
    onCancel() {
      wantsFocus.current = true
      setEditing(null)
    },
  }
}

/** How many rows down the selected row has moved; 0 if it was removed. */
function rowsAway(rows: readonly { id: string }[], id: string | undefined, row: number): number {
  if (id === undefined || rows[row]?.id === id) return 0
  const now = rows.findIndex((each) => each.id === id)
  return now === -1 ? 0 : now - row
}

function cellOf(target: EventTarget): Cell | null {
  const [row, column] = (target as HTMLElement).closest<HTMLElement>('[data-cell]')?.dataset.cell?.split(':').map(Number) ?? []
  return row === undefined || column === undefined ? null : { row, column }
}

/** Spreadsheets treat text that starts like this as a formula. */
const formula = /^[=+\-@]/
const guarded = /^'(?=[=+\-@])/

/**
 * Expects one row per line, cells separated by tabs, and quotes around cells that contain tabs or line breaks. Rows may differ in length.
 * Removes the apostrophe that marks plain text.
 */
export function parseTsv(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    rows.at(-1)?.push(cell.replace(guarded, ''))
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (sign === '"' && cell === '' && closes(text, at)) isQuoted = true
    else if (sign === '\t') endCell()
    else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') at++
      endCell()
      rows.push([])
    } else cell += sign
  }
  endCell()
  const last = rows.at(-1)
  // The final line break doesn't start another row.
  if (rows.length > 1 && last?.length === 1 && last[0] === '') rows.pop()
  return rows
}

/** An unclosed quote at `start` is an inch sign. */
function closes(text: string, start: number): boolean {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== '"') continue
    if (text[at + 1] === '"') at++
    else return at + 1 === text.length || /[\t\r\n]/.test(text[at + 1] as string)
  }
  return false
}

/** Adds an apostrophe before text that looks like a formula, so spreadsheets never execute what people typed. */
export function formatTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(formatCell).join('\t')).join('\n')
}

function formatCell(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text
  return /[\t\r\n"]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { type Column, inStock, outOfStock, readCell } from '#web/entities/menus/menu-fields.ts'
import { findStrains } from '#web/entities/strains/strain-combobox.tsx'
import { cx } from '#web/ui/cx.ts'
import { type CellEditorProps, CellInput, cellEditorLook } from '#web/ui/sheet/cell-input.tsx'
import { type KeyMove, moveAfterEdit } from '#web/ui/sheet/grid-moves.ts'
import { useAsyncOptions } from '#web/ui/use-combobox.ts'

type MenuCellEditorProps = CellEditorProps & { column: Column }

export function CellEditor({ column, ...props }: MenuCellEditorProps) {
  if (column.kind === 'choice') return <ChoiceEditor column={column} {...props} />
  if (column.key === 'strain') return <StrainEditor {...props} />
  if (column.kind === 'switch') return <StockEditor {...props} />
  return <CellInput {...props} inputMode={column.kind === 'text' || column.kind === 'date' ? undefined : 'decimal'} className="px-2.5" />
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

/** People can type a quantity, too, so this is a text field. */
function StockEditor(props: CellEditorProps) {
  const listId = useId()
  return (
    <>
      <CellInput {...props} inputMode={undefined} list={listId} className="px-2.5" />
      <datalist id={listId}>
        <option value={inStock} />
        <option value={outOfStock} />
      </datalist>
    </>
  )
}

function ChoiceEditor({ column, text, seed, label, onDone, onCancel }: MenuCellEditorProps) {
  const select = useRef<HTMLSelectElement>(null)
  const isOver = useRef(false)
  const typed = useRef(seed ?? '')
  const isListOpen = useRef(false)
  const begunWith = (start: string) => {
    const read = readCell(column.key, start)
    return (
      column.choices?.find((choice) => choice.label.toLowerCase().startsWith(start.toLowerCase())) ??
      column.choices?.find((choice) => 'value' in read && choice.value === read.value)
    )
  }
  const begun = seed && begunWith(seed)
  // Typed text that matches no choice stays in the cell, with an error.
  const isUnknown = useRef(Boolean(seed) && !begun)
  useEffect(() => {
    select.current?.focus()
    // If typing started the edit, an open list would capture the next keys, including Enter.
    if (seed !== null) return
    try {
      select.current?.showPicker()
      isListOpen.current = true
    } catch {
      // Some browsers don't let pages open the list; the keyboard still works.
    }
  }, [seed])

  function finish(move: KeyMove | null) {
    if (isOver.current) return
    isOver.current = true
    onDone(isUnknown.current ? typed.current : (select.current?.value ?? text), move)
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
    isUnknown.current = !found
    if (found && select.current) select.current.value = found.label
  }

  return (
    <select
      ref={select}
      aria-label={label}
      defaultValue={begun ? begun.label : text}
      onKeyDown={onKeyDown}
      onChange={() => {
        isUnknown.current = false
        if (isListOpen.current) finish(null)
      }}
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

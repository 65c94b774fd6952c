import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { cx } from '#web/ui/cx.ts'
import { type KeyMove, moveAfterEdit } from './grid-moves.ts'

export type CellEditorProps = {
  label: string
  text: string
  /** The typed character that started the edit and replaces the text. Null if the edit starts with the text. */
  seed: string | null
  /** `move` is null if the edit ended because the cell lost focus. */
  onDone: (text: string, move: KeyMove | null) => void
  onCancel: () => void
}

type CellInputProps = CellEditorProps & {
  inputMode: 'decimal' | undefined
  className?: string
  /** ID of a datalist. The up and down arrow keys move through its suggestions. */
  list?: string | undefined
  onType?: ((text: string) => void) | undefined
  complete?: (text: string) => string
}

export function CellInput({ label, text, seed, inputMode, className, list, onType, complete = same, onDone, onCancel }: CellInputProps) {
  const [value, setValue] = useState(seed ?? text)
  const isOver = useRef(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
    if (seed === null) input.current?.select()
  }, [seed])

  function finish(move: KeyMove | null) {
    if (isOver.current) return
    isOver.current = true
    onDone(complete(value), move)
  }

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      isOver.current = true
      return onCancel()
    }
    const isInList = list !== undefined && (event.key === 'ArrowUp' || event.key === 'ArrowDown')
    const move = isInList ? null : moveAfterEdit(event, seed !== null)
    if (!move) return
    event.preventDefault()
    finish(move)
  }

  return (
    <input
      ref={input}
      aria-label={label}
      value={value}
      inputMode={inputMode}
      autoComplete="off"
      spellCheck={false}
      list={list}
      onChange={(event) => {
        setValue(event.target.value)
        onType?.(event.target.value)
      }}
      onKeyDown={onKeyDown}
      onBlur={() => finish(null)}
      className={cx(cellEditorLook, className)}
    />
  )
}

const same = (text: string) => text

export const cellEditorLook = 'absolute inset-0 w-full bg-raised text-sm text-ink outline-2 -outline-offset-2 outline-focus tabular-nums'

import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Column } from '#web/entities/menus/menu-fields.ts'
import { findStrains } from '#web/entities/strains/strains.api.ts'
import { useAsyncOptions } from '#web/ui/use-combobox.ts'

export type AfterEdit = 'down' | 'up' | 'next' | 'previous' | 'left' | 'right' | 'stay'

type CellEditorProps = {
  column: Column
  text: string
  /** The key that started the edit, which replaces the text; null otherwise. With a seed, arrow keys leave the cell, as in spreadsheets. */
  seed: string | null
  label: string
  onDone: (text: string, after: AfterEdit) => void
  onCancel: () => void
}

const look = 'absolute inset-0 w-full bg-raised px-2.5 text-sm text-ink outline-2 -outline-offset-2 outline-focus tabular-nums'

/** A cell being edited. Enter, Tab and blur accept the text; Escape cancels. */
export function CellEditor(props: CellEditorProps) {
  return props.column.kind === 'choice' ? <ChoiceEditor {...props} /> : <TextEditor {...props} />
}

const afterKey = ({ key, shiftKey }: KeyboardEvent): AfterEdit | null => {
  if (key === 'Enter') return shiftKey ? 'up' : 'down'
  if (key === 'Tab') return shiftKey ? 'previous' : 'next'
  return null
}

const arrows: Record<string, AfterEdit> = { ArrowDown: 'down', ArrowUp: 'up', ArrowLeft: 'left', ArrowRight: 'right' }

function TextEditor({ column, text, seed, label, onDone, onCancel }: CellEditorProps) {
  const [value, setValue] = useState(seed ?? text)
  const isOver = useRef(false)
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const strains = useAsyncOptions({ load: findStrains, delay: 150, minLength: 2 })
  const isStrain = column.key === 'strain'
  useEffect(() => {
    input.current?.focus()
    if (seed === null) input.current?.select()
  }, [seed])

  function finish(after: AfterEdit) {
    if (isOver.current) return
    isOver.current = true
    onDone(value, after)
  }

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      isOver.current = true
      return onCancel()
    }
    // With suggestions open, up and down move through them.
    const arrow = seed !== null && !(isStrain && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) ? arrows[event.key] : undefined
    const after = afterKey(event) ?? arrow
    if (!after) return
    event.preventDefault()
    finish(after)
  }

  return (
    <>
      <input
        ref={input}
        aria-label={label}
        value={value}
        inputMode={column.kind === 'text' ? undefined : 'decimal'}
        autoComplete="off"
        spellCheck={false}
        list={isStrain ? listId : undefined}
        onChange={(event) => {
          setValue(event.target.value)
          if (isStrain) strains.request(event.target.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => finish('stay')}
        className={look}
      />
      {isStrain && (
        <datalist id={listId}>
          {strains.options.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </>
  )
}

function ChoiceEditor({ column, text, seed, label, onDone, onCancel }: CellEditorProps) {
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

  function finish(after: AfterEdit) {
    if (isOver.current) return
    isOver.current = true
    onDone(select.current?.value ?? text, after)
  }

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.key === 'Escape') {
      isOver.current = true
      return onCancel()
    }
    const after = afterKey(event)
    if (after) {
      event.preventDefault()
      return finish(after)
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
      onChange={() => isListOpen.current && finish('stay')}
      onBlur={() => finish('stay')}
      className={`${look} px-1.5`}
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

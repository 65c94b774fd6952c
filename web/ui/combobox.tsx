import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { cx } from './cx.ts'
import { Input } from './input.tsx'
import { nextActive, useAsyncOptions } from './use-combobox.ts'

type ComboboxProps<T> = Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'onSelect' | 'role' | 'type'> & {
  value: string
  onValueChange: (text: string) => void
  /** Best first. `signal` aborts when the text has changed. */
  loadOptions: (text: string, signal: AbortSignal) => Promise<readonly T[]>
  optionKey: (option: T) => string
  /** The field shows this after someone selects an option. */
  optionText: (option: T) => string
  renderOption?: ((option: T) => ReactNode) | undefined
  onSelect: (option: T) => void
  minLength?: number | undefined
  /** Debounce in milliseconds. */
  delay?: number | undefined
  emptyText?: string | undefined
  /** Called on Enter if no option is active or has this text. Returns whether to prevent the form's submission. */
  onFreeEnter?: ((text: string) => boolean) | undefined
  start?: ReactNode
  /** Required without a surrounding Field. */
  'aria-label'?: string | undefined
}

/**
 * An ARIA 1.2 combobox with a listbox. The field keeps focus: Down and Up move through the options, Enter selects the active one, Escape
 * closes the list and then clears the text. In a dialog, the second Escape closes the dialog instead, as in its other fields. Enter without
 * an active option submits the form, because free text is allowed.
 */
export function Combobox<T>({
  value,
  onValueChange,
  loadOptions,
  optionKey,
  optionText,
  renderOption,
  onSelect,
  minLength = 2,
  delay = 150,
  emptyText = 'No matches',
  onFreeEnter,
  className,
  ...props
}: ComboboxProps<T>) {
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const { options, status, request, cancel } = useAsyncOptions({ load: loadOptions, delay, minLength })
  const shown = open && (options.length > 0 || status === 'ready' || status === 'failed')
  const optionId = (index: number) => `${listId}-${index}`

  function close() {
    setOpen(false)
    setActive(-1)
    cancel()
  }

  function choose(option: T) {
    onValueChange(optionText(option))
    onSelect(option)
    close()
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!open) {
        setOpen(true)
        if (options.length === 0) request(value)
      }
      const next = nextActive(active, options.length, event.key)
      setActive(next)
      list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && shown && options[active]) {
      event.preventDefault()
      choose(options[active])
    } else if (event.key === 'Enter' && onFreeEnter) {
      const typed = value.trim().toLowerCase()
      const same = options.find((option) => optionText(option).toLowerCase() === typed)
      if (same) choose(same)
      else if (onFreeEnter(value)) event.preventDefault()
    } else if (event.key === 'Escape') {
      if (!(open || value)) return
      // A dialog handles Escape before the field does, and closes unless a list is open.
      if (event.defaultPrevented && !shown) return
      // Elements around the field must not also handle Escape.
      event.preventDefault()
      event.stopPropagation()
      if (!shown) onValueChange('')
      close()
    } else if (event.key === 'Tab') close()
  }

  return (
    <div className={cx('relative', className)}>
      <Input
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        {...props}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={shown ? listId : undefined}
        aria-activedescendant={shown && active >= 0 ? optionId(active) : undefined}
        value={value}
        onChange={(event) => {
          onValueChange(event.target.value)
          setOpen(true)
          setActive(-1)
          request(event.target.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {shown && (
        <div className="absolute inset-x-0 top-[calc(100%+0.375rem)] z-30 animate-appear overflow-hidden rounded-card border border-line bg-raised shadow-lift">
          <div
            ref={list}
            id={listId}
            role="listbox"
            aria-label="Suggestions"
            className="max-h-72 overflow-y-auto overscroll-contain p-1.5 empty:hidden"
          >
            {options.map((option, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps focus and handles the keys
              <div
                key={optionKey(option)}
                id={optionId(index)}
                role="option"
                aria-selected={index === active}
                tabIndex={-1}
                className="flex min-h-9 cursor-pointer items-center gap-2 rounded-[0.5rem] px-2.5 py-1.5 aria-selected:bg-sunk pointer-coarse:min-h-11"
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => setActive(index)}
                onClick={() => choose(option)}
              >
                {renderOption ? renderOption(option) : optionText(option)}
              </div>
            ))}
          </div>
          {options.length === 0 && (
            <p className="px-4 py-3 text-muted text-sm">{status === 'failed' ? 'Suggestions couldn’t be loaded.' : emptyText}</p>
          )}
        </div>
      )}
      <span role="status" className="sr-only">
        {open &&
          status === 'ready' &&
          (options.length === 0 ? emptyText : `${options.length} ${options.length === 1 ? 'suggestion' : 'suggestions'}`)}
        {open && status === 'failed' && 'Suggestions couldn’t be loaded.'}
      </span>
    </div>
  )
}

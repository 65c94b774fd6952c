import { Search, X } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { maxSearchLength } from '../../../contracts/search.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useAddressText } from '../directory/use-address-text.ts'

/** Milliseconds of quiet before the results follow what is typed. */
const typingPause = 200

type SearchFieldProps = {
  input: RefObject<HTMLInputElement | null>
  /** As it stands in the address. */
  text: string
  autoFocus: boolean
  onText: (text: string) => void
  /** It was sent, and not only typed. */
  onSent: (text: string) => void
}

/** The field of the search page. The results follow what is typed. */
export function SearchField({ input, text, autoFocus, onText, onSent }: SearchFieldProps) {
  const field = useAddressText(text)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function send(value: string) {
    clearTimeout(timer.current)
    const trimmed = value.trim()
    field.send(trimmed)
    if (trimmed !== text) onText(trimmed)
  }

  return (
    <search>
      <form
        className="relative"
        onSubmit={(event) => {
          event.preventDefault()
          send(field.text)
          onSent(field.text)
        }}
      >
        <Search aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-4 my-auto size-5 text-muted" />
        <input
          ref={input}
          type="search"
          name="q"
          aria-label="Search everything"
          placeholder="Businesses, strains, people"
          // biome-ignore lint/a11y/noAutofocus: on a page that is one field, and only while nothing is searched for
          autoFocus={autoFocus}
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={maxSearchLength}
          value={field.text}
          onChange={(event) => {
            const { value } = event.target
            field.setText(value)
            clearTimeout(timer.current)
            timer.current = setTimeout(() => send(value), typingPause)
          }}
          className="min-h-14 w-full rounded-card border border-edge bg-surface pr-12 pl-12 text-ellipsis text-lg transition-colors hover:border-ink/60 focus-visible:border-focus focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-focus [&::-webkit-search-cancel-button]:hidden"
        />
        {field.text && (
          <IconButton
            label="Clear the search"
            size="sm"
            className="absolute! inset-y-0 right-3 my-auto"
            onClick={() => {
              field.setText('')
              send('')
              input.current?.focus()
            }}
          >
            <X />
          </IconButton>
        )}
      </form>
    </search>
  )
}

import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useRef } from 'react'
import { useAddressText } from '#web/lib/use-address-text.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { PlaceField, usePlace } from './place-field.tsx'

type SearchFieldsProps = {
  /** What is searched: "Businesses". */
  of: string
  /** Label and name of the field for words. */
  label: string
  name: string
  text: string
  /** As in the address: "Denver, CO", or a point. */
  near: string
  /** The server's error about `near`. */
  placeError: string | null
  onText: (text: string) => void
  onPlace: (near: string) => void
}

/** Debounce in milliseconds. */
const typingPause = 300

/** What and where. The list follows the text as it is typed, and a place once it is chosen. */
export function SearchFields({ of, label, name, text, near, placeError, onText, onPlace }: SearchFieldsProps) {
  const what = useAddressText(text)
  const place = usePlace(near, onPlace)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => () => clearTimeout(timer.current), [])

  function sendText(value: string) {
    clearTimeout(timer.current)
    const trimmed = value.trim()
    what.send(trimmed)
    if (trimmed !== text) onText(trimmed)
  }

  function typeText(value: string) {
    what.setText(value)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => sendText(value), typingPause)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    sendText(what.text)
    place.submit()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: the search element has no form semantics of its own, and this is the form
    <form
      role="search"
      aria-label={of}
      onSubmit={submit}
      className="grid items-start gap-2 min-[22.5rem]:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] sm:grid-cols-2 sm:gap-3"
    >
      <Field label={<span className="max-sm:sr-only">{label}</span>}>
        <Input
          type="search"
          name={name}
          value={what.text}
          onChange={(event) => typeText(event.target.value)}
          placeholder="Keyword"
          maxLength={120}
          autoComplete="off"
          enterKeyHint="search"
          start={<Search aria-hidden="true" />}
        />
      </Field>
      <PlaceField place={place} label={<span className="max-sm:sr-only">Place</span>} placeholder="City or ZIP code" error={placeError} />
      {/* With several fields, Enter only submits if the form has a button. */}
      <button type="submit" className="sr-only" tabIndex={-1}>
        Search
      </button>
    </form>
  )
}

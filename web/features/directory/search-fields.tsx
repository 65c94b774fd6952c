import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useRef } from 'react'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { PlaceField, usePlace } from './place-field.tsx'
import { useAddressText } from './use-address-text.ts'

type SearchFieldsProps = {
  text: string
  /** As it stands in the address: "Denver, CO", or a point. */
  near: string
  /** What the server says about `near`. */
  placeError: string | null
  onText: (text: string) => void
  onPlace: (near: string) => void
}

/** Milliseconds of quiet before the list follows what is typed. */
const typingPause = 300

/** What and where: a shopper's two questions. The list follows the text as it is typed, and a place as soon as it is chosen. */
export function SearchFields({ text, near, placeError, onText, onPlace }: SearchFieldsProps) {
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
    <form role="search" aria-label="Businesses" onSubmit={submit} className="grid items-start gap-1 sm:grid-cols-2 sm:gap-3">
      <Field label={<span className="max-sm:sr-only">Name or keyword</span>}>
        <Input
          type="search"
          name="search"
          value={what.text}
          onChange={(event) => typeText(event.target.value)}
          placeholder="Green Leaf, organic"
          maxLength={120}
          autoComplete="off"
          enterKeyHint="search"
          start={<Search aria-hidden="true" />}
        />
      </Field>
      <PlaceField place={place} label={<span className="max-sm:sr-only">Place</span>} placeholder="City or ZIP code" error={placeError} />
      {/* Enter sends a form of several fields only when it has a button. */}
      <button type="submit" className="sr-only" tabIndex={-1}>
        Search
      </button>
    </form>
  )
}

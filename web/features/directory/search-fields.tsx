import { LocateFixed, MapPin, Search, X } from 'lucide-react'
import { type FormEvent, useEffect, useRef } from 'react'
import type { Place } from '../../../contracts/places.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { loadPlaces } from './directory.api.ts'
import { isPoint } from './discover-search.ts'
import { useAddressText } from './use-address-text.ts'
import { useMyLocation } from './use-my-location.ts'

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
const myLocation = 'My location'

/** What and where: a shopper's two questions. The list follows the text as it is typed, and a place as soon as it is chosen. */
export function SearchFields({ text, near, placeError, onText, onPlace }: SearchFieldsProps) {
  const what = useAddressText(text)
  const where = useAddressText(isPoint(near) ? myLocation : near)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const location = useMyLocation((point) => choosePlace(point, myLocation))

  useEffect(() => () => clearTimeout(timer.current), [])

  function sendText(value: string) {
    clearTimeout(timer.current)
    const trimmed = value.trim()
    what.send(trimmed)
    if (trimmed !== text) onText(trimmed)
  }

  function choosePlace(value: string, shown = value) {
    location.forget()
    where.setText(shown)
    where.send(shown)
    if (value !== near) onPlace(value)
  }

  function typeText(value: string) {
    what.setText(value)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => sendText(value), typingPause)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    sendText(what.text)
    const place = where.text.trim()
    if (place !== myLocation) choosePlace(place)
  }

  const isAsking = location.state.status === 'asking'
  const note =
    location.state.status === 'failed'
      ? location.state.message
      : isAsking || isPoint(near)
        ? 'Your location is rounded to about half a mile. It stands in this page’s address for this search, and is not stored.'
        : null

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
      <Field label={<span className="max-sm:sr-only">Place</span>} error={placeError} hint={note}>
        <Combobox<Place>
          name="near"
          value={where.text}
          onValueChange={(value) => {
            where.setText(value)
            location.forget()
            if (value === '') choosePlace('')
          }}
          onFocus={(event) => event.currentTarget.select()}
          loadOptions={loadPlaces}
          optionKey={({ id }) => id}
          optionText={({ label }) => label}
          renderOption={({ label, kind }) => (
            <>
              <span className="min-w-0 flex-1 truncate">{label}</span>
              {kind !== 'city' && <span className="text-muted text-sm">{kind === 'zip' ? 'ZIP code' : 'State'}</span>}
            </>
          )}
          onSelect={({ label }) => choosePlace(label)}
          minLength={1}
          maxLength={120}
          emptyText="No place of this name"
          placeholder="City or ZIP code"
          enterKeyHint="search"
          start={<MapPin aria-hidden="true" />}
          end={
            where.text ? (
              <IconButton label="Clear the place" size="sm" onClick={() => choosePlace('')}>
                <X aria-hidden="true" />
              </IconButton>
            ) : (
              <IconButton label="Use my location" size="sm" aria-busy={isAsking} onClick={isAsking ? undefined : location.locate}>
                {isAsking ? <Spinner /> : <LocateFixed aria-hidden="true" />}
              </IconButton>
            )
          }
        />
      </Field>
      {/* Enter sends a form of several fields only when it has a button. */}
      <button type="submit" className="sr-only" tabIndex={-1}>
        Search
      </button>
    </form>
  )
}

'use no memo'
// Everything here changes with every keystroke, so memoizing would only add code to Discover's first load.

import { LocateFixed, MapPin, Search, X } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Place } from '#contracts/search.endpoints.ts'
import { minuteMs } from '#contracts/time.ts'
import { useAddressText, useTypedAddress } from '#web/lib/use-address-text.ts'
import { IconButton, Spinner } from '#web/ui/button.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { loadPlaces } from './directory.api.ts'
import { isPoint } from './discover-search.ts'

type SearchFieldsProps = {
  of: string
  label: string
  name: string
  text: string
  /** As in the address: "Denver, CO", or a point. */
  near: string
  placeError: string | null
  onText: (text: string) => void
  /** `text` is the current keyword, which may have changed, too. */
  onPlace: (near: string, text: string) => void
}

/** The list updates as people type in the keyword field. A place takes effect once it is chosen or submitted. */
export function SearchFields({ of, label, name, text, near, placeError, onText, onPlace }: SearchFieldsProps) {
  const what = useTypedAddress(text, { pauseMs: 300, onText })
  const place = usePlace(near, (value) => onPlace(value, what.take()))

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!place.submit()) what.submit()
  }

  return (
    <search aria-label={of}>
      <form
        onSubmit={submit}
        className="grid items-start gap-2 min-[22.5rem]:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] sm:grid-cols-2 sm:gap-3"
      >
        <Field label={<span className="max-sm:sr-only">{label}</span>}>
          <Input
            type="search"
            name={name}
            value={what.text}
            onChange={(event) => what.type(event.target.value)}
            placeholder="Keyword"
            maxLength={120}
            autoComplete="off"
            enterKeyHint="search"
            start={<Search aria-hidden="true" />}
          />
        </Field>
        <PlaceField place={place} label={<span className="max-sm:sr-only">Place</span>} placeholder="City or ZIP code" error={placeError} />
        {/* With several fields, Enter submits a form only if it has a button. */}
        <button type="submit" className="sr-only" tabIndex={-1}>
          Search
        </button>
      </form>
    </search>
  )
}

const myLocation = 'My location'

/** Keeps the place field in sync with `near` in the URL: "Denver, CO", or a point. */
export function usePlace(near: string, onPlace: (near: string) => void) {
  const where = useAddressText(isPoint(near) ? myLocation : near)
  const location = useMyLocation((point) => choose(point, myLocation))

  function choose(value: string, shown = value) {
    location.forget()
    where.setText(shown)
    where.send(shown)
    if (value !== near) onPlace(value)
  }

  return {
    near,
    where,
    location,
    choose,
    /** Returns whether the place changed. */
    submit(): boolean {
      const text = where.text.trim()
      if (text === myLocation) return false
      choose(text)
      return text !== near
    },
  }
}

type PlaceFieldProps = {
  place: ReturnType<typeof usePlace>
  label: ReactNode
  placeholder: string
  error: string | null
}

export function PlaceField({ place: { near, where, location, choose }, label, placeholder, error }: PlaceFieldProps) {
  const isAsking = location.state.status === 'asking'
  const note =
    location.state.status === 'failed'
      ? location.state.message
      : isAsking || isPoint(near)
        ? 'We round your location to about half a mile, use it only for this search and don’t store it. It’s part of this page’s address.'
        : null
  return (
    <Field label={label} error={error} hint={note}>
      <Combobox<Place>
        name="near"
        value={where.text}
        onValueChange={(value) => {
          where.setText(value)
          location.forget()
          if (value === '') choose('')
        }}
        onFocus={(event) => event.currentTarget.select()}
        loadOptions={loadPlaces}
        optionKey={({ id }) => id}
        optionText={({ label: text }) => text}
        renderOption={({ label: text, kind }) => (
          <>
            <span className="min-w-0 flex-1 truncate">{text}</span>
            {kind !== 'city' && <span className="text-muted text-sm">{kind === 'zip' ? 'ZIP code' : 'State'}</span>}
          </>
        )}
        onSelect={({ label: text }) => choose(text)}
        minLength={1}
        maxLength={120}
        emptyText="No matching place"
        placeholder={placeholder}
        enterKeyHint="search"
        start={<MapPin aria-hidden="true" />}
        end={
          where.text ? (
            <IconButton label="Clear place" size="sm" onClick={() => choose('')}>
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
  )
}

type Locating = { status: 'idle' | 'asking' } | { status: 'failed'; message: string }

/** Two decimals are about half a mile: enough for "near me" without revealing an address. */
const roundedPoint = ({ latitude, longitude }: { latitude: number; longitude: number }) => `${latitude.toFixed(2)},${longitude.toFixed(2)}`

/** The browser asks for permission only when `locate` is called. An answer after `forget` is ignored. */
function useMyLocation(onFound: (point: string) => void) {
  const [state, setState] = useState<Locating>({ status: 'idle' })
  // The answer may take seconds, during which the rest of the search may change.
  const found = useEffectEvent(onFound)
  const asked = useRef(0)
  useEffect(() => () => void asked.current++, [])
  const locate = () => {
    if (!('geolocation' in navigator)) return setState({ status: 'failed', message: messages.unavailable })
    const own = ++asked.current
    setState({ status: 'asking' })
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        if (own !== asked.current) return
        setState({ status: 'idle' })
        found(roundedPoint(coords))
      },
      ({ code, PERMISSION_DENIED }) => {
        if (own !== asked.current) return
        setState({ status: 'failed', message: code === PERMISSION_DENIED ? messages.denied : messages.unavailable })
      },
      { maximumAge: 5 * minuteMs, timeout: 15_000 },
    )
  }
  const forget = () => {
    asked.current++
    setState({ status: 'idle' })
  }
  return { state, locate, forget }
}

const messages = {
  denied: 'Your browser isn’t sharing your location with this site. Enter a city or ZIP code instead.',
  unavailable: 'Your location couldn’t be found. Enter a city or ZIP code instead.',
}

/** `children` are other ways to search. */
export const PlaceNotFound = ({ near, children }: { near: string | undefined; children?: ReactNode }) => (
  <EmptyState title="Place not found" description={`“${near}” isn’t a city, state or ZIP code that we recognize. Check the spelling.`}>
    {children}
  </EmptyState>
)

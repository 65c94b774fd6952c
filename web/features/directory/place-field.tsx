import { LocateFixed, MapPin, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Place } from '../../../contracts/places.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { loadPlaces } from './directory.api.ts'
import { isPoint } from './discover-search.ts'
import { useAddressText } from './use-address-text.ts'
import { useMyLocation } from './use-my-location.ts'

const myLocation = 'My location'

/** A place to search around, whose truth stands in the page's address: "Denver, CO", or a point. `onPlace` gets the chosen one. */
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
    /** The text itself is an answer too. */
    submit: () => {
      const text = where.text.trim()
      if (text !== myLocation) choose(text)
    },
  }
}

type PlaceFieldProps = {
  place: ReturnType<typeof usePlace>
  label: ReactNode
  placeholder: string
  /** What the server says about the place. */
  error: string | null
}

/** A place by its first letters, or the person's own. */
export function PlaceField({ place: { near, where, location, choose }, label, placeholder, error }: PlaceFieldProps) {
  const isAsking = location.state.status === 'asking'
  const note =
    location.state.status === 'failed'
      ? location.state.message
      : isAsking || isPoint(near)
        ? 'Your location is rounded to about half a mile. It stands in this page’s address for this search, and is not stored.'
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
        emptyText="No place of this name"
        placeholder={placeholder}
        enterKeyHint="search"
        start={<MapPin aria-hidden="true" />}
        end={
          where.text ? (
            <IconButton label="Clear the place" size="sm" onClick={() => choose('')}>
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

import { MapPin } from 'lucide-react'
import { useState } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { suggestPlaces } from '#contracts/calls/search.ts'
import type { Place } from '#contracts/search.endpoints.ts'
import { call } from '#web/lib/call.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { Field } from '#web/ui/field.tsx'

type PlaceFieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>
  name: FieldPath<Values>
  label?: string
  hint?: string | undefined
  optional?: boolean
  /** Businesses other than farms can have a ZIP code. People, posts and events have only a city. */
  finest: 'zip' | 'city'
}

/** Accepts free text, but Enter first warns that no place was chosen. */
export function PlaceField<Values extends FieldValues, Output>({
  control,
  name,
  label = 'Location',
  hint,
  optional,
  finest,
}: PlaceFieldProps<Values, Output>) {
  const { field, fieldState } = useController({ control, name })
  const [settled] = useState(() => new Set<string>(['', field.value]))
  /** The text when someone pressed Enter without choosing a place. */
  const [asked, setAsked] = useState<string | null>(null)
  return (
    <Field label={label} hint={hint} optional={optional} error={fieldState.error?.message}>
      <Combobox
        ref={field.ref}
        name={field.name}
        value={field.value}
        onValueChange={field.onChange}
        loadOptions={loadPlaces}
        optionKey={(place) => place.id}
        optionText={(place) => (finest === 'city' ? cityText(place) : place.label)}
        renderOption={(place) => (
          <>
            <MapPin aria-hidden="true" className="size-4 shrink-0 text-muted" />
            {place.label}
          </>
        )}
        onSelect={(place) => void settled.add(finest === 'city' ? cityText(place) : place.label)}
        onFreeEnter={(text) => {
          if (settled.has(text)) return false
          settled.add(text)
          setAsked(text)
          return true
        }}
        placeholder="City, State"
        emptyText="We don’t know this place. You can use it, but nearby results won’t work."
        maxLength={120}
      />
      <p role="status" className="mt-1 text-sm empty:hidden">
        {asked !== null &&
          asked === field.value &&
          'You haven’t chosen a place. Choose one from the list, or press Enter again to use what you typed.'}
      </p>
    </Field>
  )
}

export const loadPlaces = (text: string, signal: AbortSignal): Promise<Place[]> => call(suggestPlaces, { query: { q: text } }, { signal })

/** "Denver, CO 80202" → "Denver, CO", for locations that are never finer than a city. */
export const cityText = (place: Pick<Place, 'kind' | 'label'>): string =>
  place.kind === 'zip' ? place.label.replace(/ \d{5}$/, '') : place.label

import { MapPin } from 'lucide-react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Combobox } from '../../ui/combobox.tsx'
import { Field } from '../../ui/field.tsx'
import { cityText, loadPlaces } from './places.api.ts'

type PlaceFieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>
  name: FieldPath<Values>
  label?: string
  hint?: string
  optional?: boolean
  /** The finest place that may be taken over: a business can stand in a ZIP code, a person lives in a city. */
  finest: 'zip' | 'city'
}

/** A place by its name, completed from the gazetteer; what is not in there can be typed. */
export function PlaceField<Values extends FieldValues, Output>({
  control,
  name,
  label = 'Location',
  hint,
  optional,
  finest,
}: PlaceFieldProps<Values, Output>) {
  const { field, fieldState } = useController({ control, name })
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
        // The text is the answer; a chosen place has already become it.
        onSelect={() => undefined}
        placeholder="City, State"
        emptyText="We don't know this place. You can use it, but nearby results won't work."
        maxLength={120}
      />
    </Field>
  )
}

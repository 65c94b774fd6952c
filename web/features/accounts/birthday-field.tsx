import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { minimumAge, utcDate } from '../../../contracts/age.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { isTooYoung, tooYoung } from './old-enough.ts'

type BirthdayFieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>
  name: FieldPath<Values>
  hint?: string
}

/** Says at once, while the date is picked, when somebody is too young; everything else waits until the field is left. */
export function BirthdayField<Values extends FieldValues, Output>({ control, name, hint }: BirthdayFieldProps<Values, Output>) {
  const { field, fieldState } = useController({ control, name })
  const error = isTooYoung(field.value) ? tooYoung : fieldState.error?.message
  return (
    <Field label={`Birthday (Must be ${minimumAge}+)`} hint={hint} error={error}>
      <Input {...field} type="date" autoComplete="bday" min="1900-01-01" max={utcDate(new Date())} />
    </Field>
  )
}

import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { minimumAge, utcDate } from '#contracts/age.ts'
import { businessTypeLabels, businessTypes } from '#contracts/business-types.ts'
import { SelectField, TextField } from '#web/forms/fields.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { isTooYoung, tooYoung } from './profile-schema.ts'
import type { SignUpValues } from './sign-up-schema.ts'

type BirthdayFieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>
  name: FieldPath<Values>
  hint?: string
}

/** Reports "too young" while the date is being picked; all other errors wait for blur. */
export function BirthdayField<Values extends FieldValues, Output>({ control, name, hint }: BirthdayFieldProps<Values, Output>) {
  const { field, fieldState } = useController({ control, name })
  const error = isTooYoung(field.value) ? tooYoung : fieldState.error?.message
  return (
    <Field label={`Birthday (Must be ${minimumAge}+)`} hint={hint} error={error}>
      <Input {...field} type="date" autoComplete="bday" min="1900-01-01" max={utcDate(new Date())} />
    </Field>
  )
}

export const licenseNumberHint = 'Needed for subscription features and verification. You can add it later.'

export function BusinessTypeFields<Output>({ control }: { control: Control<SignUpValues, unknown, Output> }) {
  return (
    <>
      <SelectField control={control} name="businessType" label="Business Type">
        <option value="" disabled hidden>
          Choose a type
        </option>
        {businessTypes.map((type) => (
          <option key={type} value={type}>
            {businessTypeLabels[type]}
          </option>
        ))}
      </SelectField>
      <TextField control={control} name="licenseNumber" label="License Number" optional autoComplete="off" hint={licenseNumberHint} />
    </>
  )
}

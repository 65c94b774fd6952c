import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { minimumAge, utcDate } from '#contracts/age.ts'
import { businessTypeLabels, businessTypes } from '#contracts/business-types.ts'
import { interestOptions } from '#contracts/choices.ts'
import { SelectField, TextField } from '#web/forms/fields.tsx'
import { chipClass } from '#web/ui/chip.tsx'
import { Field, FieldGroup } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { isTooYoung, tooYoung } from './profile-schema.ts'
import type { SignUpValues } from './sign-up-schema.ts'

type BirthdayFieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>
  name: FieldPath<Values>
  hint?: string
}

/** Shows "too young" while the date is being picked; all other errors wait for blur. */
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

/** Opens the terms in a new tab, so the form keeps its values. */
export function TermsNote({ action }: { action: string }) {
  return (
    <p className="text-muted text-sm">
      By {action} you agree to our{' '}
      <a href="/terms" target="_blank" rel="noreferrer" className={textLink}>
        Terms of Service
      </a>{' '}
      and{' '}
      <a href="/privacy" target="_blank" rel="noreferrer" className={textLink}>
        Privacy Policy
      </a>
      .
    </p>
  )
}

export function InterestsField<Values extends FieldValues & { interests: string[] }, Output>({
  control,
}: {
  control: Control<Values, unknown, Output>
}) {
  const { field, fieldState } = useController({ control, name: 'interests' as FieldPath<Values> })
  const chosen: readonly string[] = field.value
  const toggle = (interest: string, isChosen: boolean) =>
    field.onChange(isChosen ? [...chosen, interest] : chosen.filter((other) => other !== interest))
  return (
    <FieldGroup legend="Interests" hint="Optional. Choose as many as you like." error={fieldState.error?.message}>
      <div className="flex flex-wrap gap-2 pointer-coarse:gap-3">
        {interestOptions.map((interest) => {
          const isChosen = chosen.includes(interest)
          return (
            <label
              key={interest}
              className={chipClass(
                isChosen,
                'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              )}
            >
              <input
                type="checkbox"
                className="sr-only"
                checked={isChosen}
                onChange={(event) => toggle(interest, event.target.checked)}
                onBlur={field.onBlur}
              />
              {interest}
            </label>
          )
        })}
      </div>
    </FieldGroup>
  )
}

import { type Control, useController } from 'react-hook-form'
import { interestOptions } from '../../../contracts/accounts.ts'
import { chipClass } from '../../ui/chip.tsx'
import { FieldGroup } from '../../ui/field.tsx'
import type { ProfileValues } from './profile-schema.ts'

/** As many as one likes: checkboxes that look like chips. */
export function InterestsField<Output>({ control }: { control: Control<ProfileValues, unknown, Output> }) {
  const { field, fieldState } = useController({ control, name: 'interests' })
  const toggle = (interest: string, chosen: boolean) =>
    field.onChange(chosen ? [...field.value, interest] : field.value.filter((other) => other !== interest))
  return (
    <FieldGroup legend="Interests" hint="Optional. Choose as many as you like." error={fieldState.error?.message}>
      <div className="flex flex-wrap gap-2 pointer-coarse:gap-3">
        {interestOptions.map((interest) => {
          const isChosen = field.value.includes(interest)
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

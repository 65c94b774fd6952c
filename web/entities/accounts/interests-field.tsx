import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { interestOptions } from '#contracts/choices.ts'
import { chipClass } from '#web/ui/chip.tsx'
import { FieldGroup } from '#web/ui/field.tsx'

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

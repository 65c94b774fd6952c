import { Store, User } from 'lucide-react'
import { type Control, useController } from 'react-hook-form'
import { RadioCard, RadioCards } from '../../ui/radio-cards.tsx'
import type { SignUpValues } from './sign-up-schema.ts'

/** `describe`: a sentence about each choice, where there is room for it. */
export function AccountTypeField<Output>({ control, describe }: { control: Control<SignUpValues, unknown, Output>; describe?: boolean }) {
  const { field, fieldState } = useController({ control, name: 'accountType' })
  const choice = (value: SignUpValues['accountType']) => ({
    name: field.name,
    value,
    checked: field.value === value,
    onChange: () => field.onChange(value),
    onBlur: field.onBlur,
  })
  return (
    <RadioCards legend="Account Type" error={fieldState.error?.message}>
      <RadioCard
        {...choice('consumer')}
        ref={field.ref}
        icon={<User />}
        title="Personal"
        description={describe ? 'Discover, follow and review licensed businesses near you.' : undefined}
      />
      <RadioCard
        {...choice('business')}
        icon={<Store />}
        title="Business"
        description={describe ? 'Run a farm, a dispensary or another business of the trade.' : undefined}
      />
    </RadioCards>
  )
}

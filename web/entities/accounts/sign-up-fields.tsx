import { Store, User } from 'lucide-react'
import { type Control, useController, useWatch } from 'react-hook-form'
import { EmailField, TextField } from '#web/forms/fields.tsx'
import { brand } from '#web/lib/boot.ts'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { ownWords } from './password-strength.ts'
import type { SignUpValues } from './sign-up-schema.ts'

/** `describe` adds a sentence to each choice. */
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
        description={describe ? 'Run a farm, a dispensary or another business in the trade.' : undefined}
      />
    </RadioCards>
  )
}

export function PersonFields<Output>({ control }: { control: Control<SignUpValues, unknown, Output> }) {
  const [firstName, lastName, email] = useWatch({ control, name: ['firstName', 'lastName', 'email'] })
  return (
    <>
      <div className="grid gap-4 min-[420px]:grid-cols-2">
        <TextField control={control} name="firstName" label="First Name" autoComplete="given-name" />
        <TextField control={control} name="lastName" label="Last Name" autoComplete="family-name" />
      </div>
      <EmailField control={control} name="email" autoComplete="email" />
      <NewPasswordField control={control} name="password" words={ownWords({ firstName, lastName, email }, brand.name)} />
    </>
  )
}

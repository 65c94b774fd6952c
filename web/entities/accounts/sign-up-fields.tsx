import { Store, User } from 'lucide-react'
import { useState } from 'react'
import { type Control, type FieldPath, type FieldValues, useController, useWatch } from 'react-hook-form'
import { EmailField, TextField } from '#web/forms/fields.tsx'
import { brand } from '#web/lib/boot.ts'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput, PasswordMeter } from '#web/ui/password-input.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import type { PasswordRater } from './password-judge.ts'
import { loadPasswordRater, ownWords } from './password-strength.ts'
import type { SignUpValues } from './sign-up-schema.ts'

type NewPasswordFieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>
  name: FieldPath<Values>
  label?: string
  words: string[]
}

export function NewPasswordField<Values extends FieldValues, Output>({
  control,
  name,
  label = 'Password',
  words,
}: NewPasswordFieldProps<Values, Output>) {
  const { field, fieldState } = useController({ control, name })
  const [judge, setJudge] = useState<PasswordRater | null>(null)
  const password: string = field.value
  const strength = judge && password ? judge(password, words) : null
  // If the estimator can't load (offline), the meter is empty; the server checks anyway.
  const prepare = () =>
    void loadPasswordRater().then(
      (loaded) => setJudge(() => loaded),
      () => undefined,
    )
  return (
    <div className="grid gap-2.5">
      <Field label={label} error={fieldState.error?.message}>
        <PasswordInput {...field} autoComplete="new-password" onFocus={prepare} />
      </Field>
      <PasswordMeter score={strength?.score ?? null} hint={strength?.hint ?? undefined} />
    </div>
  )
}

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

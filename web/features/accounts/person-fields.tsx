import { type Control, useWatch } from 'react-hook-form'
import { brand } from '../../lib/boot.ts'
import { EmailField, TextField } from './fields.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { ownWords } from './password-strength.ts'
import type { SignUpValues } from './sign-up-schema.ts'

/** Name, address and password of somebody new. */
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

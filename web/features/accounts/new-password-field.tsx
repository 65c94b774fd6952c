import { useState } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { PasswordMeter } from '../../ui/password-meter.tsx'
import type { PasswordJudge } from './judged-password.ts'
import { loadPasswordJudge } from './password-strength.ts'

type NewPasswordFieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>
  name: FieldPath<Values>
  label?: string
  /** The person's own words: see `ownWords`. */
  words: string[]
}

/** A password that is being chosen, judged while it is typed. The estimator is fetched when the field gets the focus. */
export function NewPasswordField<Values extends FieldValues, Output>({
  control,
  name,
  label = 'Password',
  words,
}: NewPasswordFieldProps<Values, Output>) {
  const { field, fieldState } = useController({ control, name })
  const [judge, setJudge] = useState<PasswordJudge | null>(null)
  const password: string = field.value
  const strength = judge && password ? judge(password, words) : null
  // Without the estimator (no network) the meter stays empty; the server judges anyway.
  const prepare = () =>
    void loadPasswordJudge().then(
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

import { useState } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput, PasswordMeter } from '#web/ui/password-input.tsx'
import type { PasswordJudge } from './password-judge.ts'
import { loadPasswordJudge } from './password-strength.ts'

type NewPasswordFieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>
  name: FieldPath<Values>
  label?: string
  words: string[]
}

/** New password with a strength meter. Fetches the estimator on focus. */
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
  // Without the estimator (offline) the meter stays empty; the server checks anyway.
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

import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { afterFactorChange } from '#web/entities/accounts/sign-in.api.ts'
import { fieldErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'

type CodeFormValues = { code: string; password: string }

type CodeFormProps = {
  send: (given: CodeFormValues) => Promise<unknown>
  /** If true, everything is refetched, because the session's permissions change. */
  changesSession?: boolean
  buttonText: string
  pendingText: string
  takesRecoveryCode?: boolean
  asksPassword?: boolean
  variant?: 'primary' | 'danger'
  children?: ReactNode
}

/** Phones and password managers can autofill six-digit codes. */
export function CodeForm({
  send,
  changesSession = false,
  buttonText,
  pendingText,
  takesRecoveryCode = false,
  asksPassword = false,
  variant = 'primary',
  children,
}: CodeFormProps) {
  const client = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [isRecovery, setRecovery] = useState(false)
  const [values, setValues] = useState<CodeFormValues>({ code: '', password: '' })
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isPending, setPending] = useState(false)

  function change(part: Partial<CodeFormValues>) {
    setValues({ ...values, ...part })
    setErrors({})
  }

  function fail(wrong: Record<string, string>) {
    setErrors(wrong)
    const field = wrong.password === undefined ? 'code' : 'password'
    form.current?.querySelector<HTMLInputElement>(`[name="${field}"]`)?.select()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isPending) return
    if (asksPassword && values.password === '') return fail({ password: 'Password is required' })
    if (values.code.trim() === '') return fail({ code: isRecovery ? 'Enter a recovery code' : 'Enter the code from your app' })
    setPending(true)
    try {
      await send({ ...values, code: values.code.trim() })
      if (changesSession) await afterFactorChange(client)
    } catch (error) {
      const fields = fieldErrors(error)
      fail(Object.keys(fields).length > 0 ? fields : { code: messageOf(error) })
    }
    setPending(false)
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-4">
      {asksPassword && (
        <Field label="Password" error={errors.password}>
          <PasswordInput
            name="password"
            autoComplete="current-password"
            value={values.password}
            onChange={(event) => change({ password: event.target.value })}
          />
        </Field>
      )}
      {isRecovery ? (
        <Field key="recovery" label="Recovery code" hint="One of your ten recovery codes. Each works once." error={errors.code}>
          <Input
            name="code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
            className="font-mono tracking-wide"
            value={values.code}
            onChange={(event) => change({ code: event.target.value })}
          />
        </Field>
      ) : (
        <Field key="app" label="Code from your authenticator app" error={errors.code}>
          <Input
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
            maxLength={9}
            className="font-mono text-lg tracking-[0.2em] tabular-nums"
            value={values.code}
            onChange={(event) => change({ code: event.target.value })}
          />
        </Field>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant={variant} pending={isPending} pendingText={pendingText}>
          {buttonText}
        </Button>
        {children}
        {takesRecoveryCode && (
          <Button
            variant="quiet"
            onClick={() => {
              setRecovery(!isRecovery)
              change({ code: '' })
            }}
          >
            {isRecovery ? 'Use your authenticator app' : 'Use a recovery code'}
          </Button>
        )}
      </div>
    </form>
  )
}

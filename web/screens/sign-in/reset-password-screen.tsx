import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { NewPassword } from '#contracts/accounts.ts'
import { resetPassword } from '#contracts/calls/accounts.ts'
import { listPasskeysOfReset } from '#contracts/calls/sign-in.ts'
import type { Passkey } from '#contracts/sign-in.ts'
import { easyToGuess, isHardToGuess } from '#web/entities/accounts/password-strength.ts'
import { NewPasswordField } from '#web/entities/accounts/sign-up-fields.tsx'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { SpentLink } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'

type Values = { password: string }

/** The email address isn't known here, so only the brand counts as a personal word. The server checks the rest. */
const words = [brand.name.toLowerCase()]

const resolver: Resolver<Values> = async (values) => {
  const problem = NewPassword.safeParse(values.password).error?.issues[0]?.message
  const message = problem ?? ((await isHardToGuess(values.password, words)) ? null : easyToGuess)
  return message ? { values: {}, errors: { password: { type: 'password', message } } } : { values, errors: {} }
}

const isInvalidToken = (error: unknown) => error instanceof ApiError && (error.code === 'invalid_token' || 'token' in error.fields)

export default function ResetPasswordScreen({ token }: { token: string }) {
  const navigate = useNavigate()
  const [isSpent, setSpent] = useState(token === '')
  const [removed, setRemoved] = useState<readonly string[]>([])
  const form = useForm<Values>({ defaultValues: { password: '' }, resolver })
  const passkeys = useQuery({
    queryKey: ['passkeys of a reset', token],
    queryFn: ({ signal }) => call(listPasskeysOfReset, { body: { token } }, { signal }),
    enabled: token !== '',
  })

  const submit = form.handleSubmit(async ({ password }) => {
    try {
      await call(resetPassword, { body: { token, password, removePasskeys: [...removed] } })
      toast({ title: 'Password changed', description: 'Sign in with your new password.' })
      // Resetting ends all sessions of the account, including this browser's.
      await refreshCurrentUser()
      await navigate({ to: '/auth', replace: true })
    } catch (error) {
      if (showServerErrors(form, error, ['password'])) return
      if (isInvalidToken(error)) return setSpent(true)
      toast({ title: 'Password not changed', description: messageOf(error), variant: 'destructive' })
    }
  })

  return (
    <AuthFrame>
      {isSpent || isInvalidToken(passkeys.error) ? (
        <SpentLink>
          <p>A link works once, within an hour. Request a new one. It takes a minute.</p>
          <Button asChild className="mt-2">
            <Link to="/auth/forgot">Send a new link</Link>
          </Button>
        </SpentLink>
      ) : (
        <AuthSheet title="Choose a new password" description="We’ll sign you out everywhere. Then sign in with the new password.">
          <form noValidate onSubmit={submit} className="grid gap-4">
            <NewPasswordField control={form.control} name="password" label="New password" words={words} />
            {passkeys.data && passkeys.data.length > 0 && <Passkeys passkeys={passkeys.data} removed={removed} onChange={setRemoved} />}
            <Button type="submit" size="lg" pending={form.formState.isSubmitting} pendingText="Saving...">
              Save password
            </Button>
          </form>
        </AuthSheet>
      )}
    </AuthFrame>
  )
}

type PasskeysProps = { passkeys: readonly Passkey[]; removed: readonly string[]; onChange: (removed: readonly string[]) => void }

/** An intruder may have added a passkey, which survives the password reset. */
function Passkeys({ passkeys, removed, onChange }: PasskeysProps) {
  return (
    <fieldset className="grid gap-2.5 rounded-input border border-line p-4">
      <legend className="px-1 font-medium">Passkeys</legend>
      <p className="text-muted text-sm">These sign you in without your password. Remove any that you don’t recognize.</p>
      {passkeys.map(({ id, name, createdAt }) => (
        <Checkbox
          key={id}
          checked={removed.includes(id)}
          onChange={({ target }) => onChange(target.checked ? [...removed, id] : removed.filter((each) => each !== id))}
          hint={
            <>
              Added <Ago at={createdAt} />
            </>
          }
        >
          Remove {name}
        </Checkbox>
      ))}
    </fieldset>
  )
}

import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { NewPassword, ResetRequest } from '#contracts/accounts.ts'
import { requestPasswordReset, resetPassword } from '#contracts/calls/accounts.ts'
import { listPasskeysOfReset } from '#contracts/calls/sign-in.ts'
import type { Passkey } from '#contracts/sign-in.ts'
import { easyToGuess, isHardToGuess } from '#web/entities/accounts/password-strength.ts'
import { NewPasswordField } from '#web/entities/accounts/sign-up-fields.tsx'
import { EmailField } from '#web/forms/fields.tsx'
import { signInDraft, withDraft } from '#web/forms/form-draft.ts'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { RetryLine } from '#web/ui/error-state.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { ExpiredLinkNotice, Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'

/** The page that the person was headed for, or none for Home. */
const onward = (returnTo: string) => (returnTo === '/' ? {} : { returnTo })
const toSignIn = (returnTo: string) => (returnTo === '/' ? {} : { returnTo, tab: 'sign-in' as const })

/** At /auth/forgot. The response doesn't reveal whether an address has an account. */
export function ForgotPasswordScreen({ returnTo }: { returnTo: string }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  // Start with the address just tried on the sign-in form.
  const [defaultValues] = useState(() => withDraft(signInDraft, { email: '' }))
  const form = useForm({ defaultValues, resolver: standardSchemaResolver(ResetRequest) })

  const submit = form.handleSubmit(async ({ email }) => {
    try {
      await call(requestPasswordReset, { body: { email, returnTo } })
      setSentTo(email)
    } catch (error) {
      const rest = showServerErrors(form, error, ['email'])
      if (rest) {
        toast({ title: 'The link wasn’t sent', description: rest, variant: 'destructive' })
      }
    }
  })

  if (sentTo) {
    return (
      <AuthFrame>
        <Notice icon={<MailCheck />} title="Check your email">
          <p>If an account exists for {sentTo}, a link is on its way.</p>
          <p>It can take a minute. Check your spam folder, too.</p>
          <div className="mt-2 flex flex-wrap gap-3">
            <Button asChild variant="secondary">
              <Link to="/auth" search={toSignIn(returnTo)}>
                Back to sign in
              </Link>
            </Button>
            <Button variant="quiet" onClick={() => setSentTo(null)}>
              Use another address
            </Button>
          </div>
        </Notice>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame>
      <AuthSheet title="Set a new password" description="Enter your account’s email, and we’ll send you a link.">
        <form noValidate onSubmit={submit} className="grid gap-4">
          <EmailField control={form.control} name="email" autoComplete="username" />
          <Button type="submit" size="lg" pending={form.formState.isSubmitting} pendingText="Sending..." className="mt-2">
            Send link
          </Button>
          <Link to="/auth" search={toSignIn(returnTo)} className={`${textLink} justify-self-start text-sm`}>
            Back to sign in
          </Link>
        </form>
      </AuthSheet>
    </AuthFrame>
  )
}

type Values = { password: string }

/** The link doesn't reveal the email address, so only the brand counts as a personal word. The server checks the rest. */
const words = [brand.name.toLowerCase()]

const resolver: Resolver<Values> = async (values) => {
  const problem = NewPassword.safeParse(values.password).error?.issues[0]?.message
  const message = problem ?? ((await isHardToGuess(values.password, words)) ? null : easyToGuess)
  return message ? { values: {}, errors: { password: { type: 'password', message } } } : { values, errors: {} }
}

const isInvalidToken = (error: unknown) => error instanceof ApiError && (error.code === 'invalid_token' || 'token' in error.fields)

export function ResetPasswordScreen({ token, returnTo }: { token: string; returnTo: string }) {
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
      // Resetting has ended all sessions of the account, including this browser's. If this fails, the password has still changed.
      await refreshCurrentUser().catch(() => undefined)
      await navigate({ to: '/auth', search: toSignIn(returnTo), replace: true })
    } catch (error) {
      const rest = showServerErrors(form, error, ['password'])
      if (rest === null) return
      if (isInvalidToken(error)) return setSpent(true)
      toast({ title: 'Password not changed', description: rest, variant: 'destructive' })
    }
  })

  return (
    <AuthFrame>
      {isSpent || isInvalidToken(passkeys.error) ? (
        <ExpiredLinkNotice>
          <p>Each link works once and expires after an hour. Request a new one.</p>
          <Button asChild className="mt-2">
            <Link to="/auth/forgot" search={onward(returnTo)}>
              Send a new link
            </Link>
          </Button>
        </ExpiredLinkNotice>
      ) : (
        <AuthSheet title="Choose a new password" description="We’ll sign you out everywhere. Then sign in with the new password.">
          <form noValidate onSubmit={submit} className="grid gap-4">
            <NewPasswordField control={form.control} name="password" label="New password" words={words} />
            {passkeys.data && passkeys.data.length > 0 && <Passkeys passkeys={passkeys.data} removed={removed} onChange={setRemoved} />}
            {passkeys.error && (
              <RetryLine onRetry={() => void passkeys.refetch()} pending={passkeys.isFetching}>
                Your passkeys couldn’t be loaded. {messageOf(passkeys.error)}
              </RetryLine>
            )}
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

/** A passkey survives the password reset, and an intruder may have added one. */
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

import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { NewPassword, resetPassword } from '../../../contracts/accounts.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { brand } from '../../lib/boot.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast-store.ts'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { SpentLink } from './notice.tsx'
import { easyToGuess, isHardToGuess } from './password-strength.ts'
import { showServerErrors } from './server-errors.ts'

type Values = { password: string }

/** The address is not known here, so only the brand counts among the person's own words; the server knows better. */
const words = [brand.name.toLowerCase()]

const resolver: Resolver<Values> = async (values) => {
  const problem = NewPassword.safeParse(values.password).error?.issues[0]?.message
  const message = problem ?? ((await isHardToGuess(values.password, words)) ? null : easyToGuess)
  return message ? { values: {}, errors: { password: { type: 'password', message } } } : { values, errors: {} }
}

/** The page /auth/reset, where the mailed link leads. */
export default function ResetPasswordScreen({ token }: { token: string }) {
  const navigate = useNavigate()
  const [isSpent, setSpent] = useState(token === '')
  const form = useForm<Values>({ defaultValues: { password: '' }, resolver })

  const submit = form.handleSubmit(async ({ password }) => {
    try {
      await call(resetPassword, { body: { token, password } })
      toast({ title: 'Password changed', description: 'Sign in with your new password.' })
      // Every session of the account has ended, this browser's too if there was one.
      await refreshCurrentUser()
      await navigate({ to: '/auth', replace: true })
    } catch (error) {
      if (showServerErrors(form, error, ['password'])) return
      if (error instanceof ApiError && (error.code === 'invalid_token' || 'token' in error.fields)) return setSpent(true)
      toast({ title: 'The password was not changed', description: messageOf(error), variant: 'destructive' })
    }
  })

  return (
    <AuthFrame>
      {isSpent ? (
        <SpentLink>
          <p>A link works once, within an hour. Ask for a new one; it takes a minute.</p>
          <Button asChild className="mt-2">
            <Link to="/auth/forgot">Send a new link</Link>
          </Button>
        </SpentLink>
      ) : (
        <AuthSheet title="Choose a new password" description="You will be signed out everywhere and sign in with the new password.">
          <form noValidate onSubmit={submit} className="grid gap-4">
            <NewPasswordField control={form.control} name="password" label="New password" words={words} />
            <Button type="submit" size="lg" pending={form.formState.isSubmitting} pendingText="Saving...">
              Save password
            </Button>
          </form>
        </AuthSheet>
      )}
    </AuthFrame>
  )
}

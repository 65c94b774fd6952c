import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { login } from '../../../contracts/accounts.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { brand } from '../../lib/boot.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { toast } from '../../ui/toast-store.ts'
import { EmailField, PasswordField } from './fields.tsx'
import { useDraft, withDraft } from './form-draft.ts'
import { showServerErrors } from './server-errors.ts'
import type { SignInValues } from './sign-in-resolver.ts'

type SignInFormProps = {
  /** The session has begun. */
  onSignedIn(): Promise<void>
  /** The password is right, but the address has not been confirmed yet. */
  onConfirmEmail(email: string): void
}

/** Shared with the form that asks for a new password. */
export const signInDraft = 'sign-in'

const loadResolver = () => import('./sign-in-resolver.ts')

/** The contract's rules. Without their code (no network) the server judges alone. */
const check: Resolver<SignInValues> = async (values, context, options) => {
  const loaded = await loadResolver().catch(() => null)
  return loaded ? loaded.signInResolver(values, context, options) : { values, errors: {} }
}

export function SignInForm({ onSignedIn, onConfirmEmail }: SignInFormProps) {
  const [defaultValues] = useState(() => ({ ...withDraft(signInDraft, { email: '' }), password: '' }))
  const form = useForm({ defaultValues, resolver: check })
  useEffect(() => void loadResolver().catch(() => undefined), [])
  const { control, formState } = form
  const dropDraft = useDraft(form, signInDraft, ['password'])

  const submit = form.handleSubmit(async (credentials) => {
    try {
      await call(login, { body: credentials })
      dropDraft()
      await onSignedIn()
    } catch (error) {
      if (!showServerErrors(form, error, ['email', 'password'])) form.setFocus('password', { shouldSelect: true })
      toast({ title: 'Login failed', description: messageOf(error), variant: 'destructive' })
      if (error instanceof ApiError && error.code === 'email_unverified') onConfirmEmail(credentials.email)
    }
  })

  return (
    <form noValidate onSubmit={submit} aria-label={`Sign in to ${brand.name}`} className="grid gap-4">
      <EmailField control={control} name="email" autoComplete="username" />
      <PasswordField control={control} name="password" />
      <Link to="/auth/forgot" className={`${textLink} justify-self-start text-sm`}>
        Forgot password?
      </Link>
      <Button type="submit" size="lg" pending={formState.isSubmitting} pendingText="Signing in..." className="mt-2">
        Sign In
      </Button>
    </form>
  )
}

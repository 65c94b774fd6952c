// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { Link } from '@tanstack/react-router'
import { type SubmitEvent, useRef, useState } from 'react'
import { login } from '../../../contracts/accounts.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { brand } from '../../lib/boot.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { PasswordInput } from '../../ui/password-input.tsx'
import { toast } from '../../ui/toast-store.ts'
import { dropDraft, keepDraft, signInDraft, withDraft } from './form-draft.ts'
import { fieldErrors } from './server-errors.ts'
import type { SignInErrors, SignInValues } from './sign-in-rules.ts'

type SignInFormProps = {
  /** The session has begun. */
  onSignedIn(): Promise<void>
  /** The password is right, but the address has not been confirmed yet. */
  onConfirmEmail(email: string): void
}

const loadRules = () => import('./sign-in-rules.ts')
const prefetchRules = () => void loadRules().catch(() => undefined)

/** By the contract's rules. Without their code (no network) the server judges alone. */
async function errorsOf(values: SignInValues): Promise<SignInErrors> {
  const rules = await loadRules().catch(() => null)
  return rules?.signInErrors(values) ?? {}
}

const valuesOf = (form: HTMLFormElement): SignInValues => {
  const data = new FormData(form)
  return { email: String(data.get('email')), password: String(data.get('password')) }
}

/**
 * Two fields that keep their own values. The library of the longer forms stays away: with it this would be a tenth more code for everybody
 * who comes to the site without a session.
 */
export function SignInForm({ onSignedIn, onConfirmEmail }: SignInFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [{ email }] = useState(() => withDraft(signInDraft, { email: '' }))
  const [errors, setErrors] = useState<SignInErrors>({})
  const [isSubmitting, setSubmitting] = useState(false)
  const wasSent = useRef(false)

  function focusOn(name: keyof SignInValues) {
    const field = form.current?.elements.namedItem(name)
    if (field instanceof HTMLInputElement) field.select()
  }

  async function typed(name: keyof SignInValues) {
    if (!form.current) return
    if (name === 'email') keepDraft(signInDraft, { email: valuesOf(form.current).email })
    if (!wasSent.current) return
    const found = await errorsOf(valuesOf(form.current))
    setErrors((before) => ({ ...before, [name]: found[name] }))
  }

  async function send(values: SignInValues) {
    const found = await errorsOf(values)
    setErrors(found)
    if (found.email || found.password) return focusOn(found.email ? 'email' : 'password')
    try {
      await call(login, { body: values })
      dropDraft(signInDraft)
      await onSignedIn()
    } catch (error) {
      const refused: SignInErrors = fieldErrors(error)
      setErrors(refused)
      focusOn(refused.email ? 'email' : 'password')
      toast({ title: 'Login failed', description: messageOf(error), variant: 'destructive' })
      if (error instanceof ApiError && error.code === 'email_unverified') onConfirmEmail(values.email)
    }
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSubmitting) return
    wasSent.current = true
    setSubmitting(true)
    await send(valuesOf(event.currentTarget))
    setSubmitting(false)
  }

  return (
    <form ref={form} noValidate onSubmit={submit} onFocus={prefetchRules} aria-label={`Sign in to ${brand.name}`} className="grid gap-4">
      <Field label="Email" error={errors.email}>
        <Input
          type="email"
          name="email"
          defaultValue={email}
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          onChange={() => void typed('email')}
        />
      </Field>
      <Field label="Password" error={errors.password}>
        <PasswordInput name="password" autoComplete="current-password" onChange={() => void typed('password')} />
      </Field>
      <Link to="/auth/forgot" className={`${textLink} justify-self-start text-sm`}>
        Forgot password?
      </Link>
      <Button type="submit" size="lg" pending={isSubmitting} pendingText="Signing in..." className="mt-2">
        Sign In
      </Button>
    </form>
  )
}

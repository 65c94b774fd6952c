import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { AccountType, Registration } from '#contracts/accounts.ts'
import { register } from '#contracts/calls/accounts.ts'
import { isRegistering, rememberAccountType, saveReturnTo } from '#web/entities/accounts/asked-for.ts'
import { CheckEmail } from '#web/entities/accounts/check-email.tsx'
import { BirthdayField, BusinessTypeFields, TermsNote } from '#web/entities/accounts/profile-fields.tsx'
import { AccountTypeField, PersonFields } from '#web/entities/accounts/sign-up-fields.tsx'
import { emptySignUp, type SignUpValues, signUpDraft, signUpFields, signUpResolver } from '#web/entities/accounts/sign-up-schema.ts'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { otherErrors, showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { boot, brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { toast } from '#web/ui/toast-store.ts'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'
import { OpenIdButton } from './openid-button.tsx'

/** At /signup, for an account type chosen earlier. */
export default function SignUpScreen({ accountType }: { accountType?: AccountType | undefined }) {
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null)
  const navigate = useNavigate()
  return (
    <AuthFrame>
      {unconfirmed ? (
        <CheckEmail email={unconfirmed} onBack={() => void navigate({ to: '/auth', search: { tab: 'sign-in' } })} />
      ) : (
        <AuthSheet
          title={`Join ${brand.name}`}
          description={
            <>
              Already have an account?{' '}
              <Link to="/auth" className={textLink}>
                Sign in
              </Link>
            </>
          }
        >
          {boot.openIdName && <OpenIdButton returnTo="/" provider={boot.openIdName} />}
          <SignUpForm accountType={accountType} returnTo="/" onConfirmEmail={setUnconfirmed} />
        </AuthSheet>
      )}
    </AuthFrame>
  )
}

type SignUpFormProps = {
  accountType?: AccountType | undefined
  returnTo: string
  invited?: string
  /** The new account's address must be confirmed before the first sign-in. */
  onConfirmEmail(email: string): void
}

export function SignUpForm({ accountType, returnTo, invited = '', onConfirmEmail }: SignUpFormProps) {
  const router = useRouter()
  const [defaultValues] = useState(() => ({
    ...withDraft(signUpDraft, { ...emptySignUp, email: invited }),
    ...(accountType ? { accountType } : {}),
  }))
  const form = useForm<SignUpValues, unknown, Registration>({ defaultValues, resolver: signUpResolver, mode: 'onTouched' })
  const { control, formState } = form
  const dropDraft = useDraft(form, signUpDraft, ['password'])
  const chosenType = useWatch({ control, name: 'accountType' })

  const submit = form.handleSubmit(async (registration) => {
    try {
      const made = await call(register, { body: { ...registration, returnTo } })
      dropDraft()
      if (accountType) rememberAccountType(accountType)
      saveReturnTo(returnTo)
      if (made.confirmEmail) return onConfirmEmail(registration.email)
      const isBusiness = made.accountType === 'business'
      toast({
        title: 'Registration successful!',
        description: isBusiness ? 'Your business account has been created.' : 'Your account has been created.',
      })
      const next = isBusiness && isRegistering(returnTo) ? returnTo : isBusiness ? '/business-dashboard' : '/'
      // The account exists, so a failure here must not look like a failed registration.
      if (await refreshCurrentUser().catch(() => null)) router.history.push(next)
      else location.assign(next)
    } catch (error) {
      showServerErrors(form, error, signUpFields)
      toast({ title: 'Registration failed', description: otherErrors(error, signUpFields) ?? messageOf(error), variant: 'destructive' })
    }
  })

  return (
    <form noValidate onSubmit={submit} aria-label={`Sign up for ${brand.name}`} className="grid gap-4">
      <PersonFields control={control} />
      <BirthdayField control={control} name="birthday" />
      <AccountTypeField control={control} />
      {chosenType === 'business' && <BusinessTypeFields control={control} />}
      <Button type="submit" size="lg" pending={formState.isSubmitting} pendingText="Creating..." className="mt-2">
        Create Account
      </Button>
      <TermsNote action="creating an account" />
    </form>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, Store } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type FieldErrors, useForm, useWatch } from 'react-hook-form'
import type { CurrentUser, Registration } from '#contracts/accounts.ts'
import { register } from '#contracts/calls/accounts.ts'
import { CheckEmail } from '#web/entities/accounts/check-email.tsx'
import { BirthdayField, BusinessTypeFields, TermsNote } from '#web/entities/accounts/profile-fields.tsx'
import { AccountTypeField, PersonFields } from '#web/entities/accounts/sign-up-fields.tsx'
import { emptySignUp, type SignUpValues, signUpDraft, signUpFields, signUpResolver } from '#web/entities/accounts/sign-up-schema.ts'
import { businessOptions } from '#web/entities/businesses/businesses.api.ts'
import { CandidateOffer, useCandidates } from '#web/entities/claims/candidate-offer.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { fieldErrors, otherErrors, showServerErrors } from '#web/forms/server-errors.ts'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser, useCurrentUser } from '#web/lib/current-user.ts'
import { BusinessForm } from '#web/screens/onboarding/business-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Stepper } from '#web/ui/stepper.tsx'
import { toast } from '#web/ui/toast-store.ts'

const ClaimScreen = lazy(async () => ({ default: (await import('./claim-screen.tsx')).ClaimScreen }))

/**
 * At /business/register, visitors see the wizard, and signed-in people see the business form. `claim` is the slug of a listing to claim
 * instead.
 */
export default function RegisterScreen({ claim }: { claim: string | undefined }) {
  const user = useCurrentUser()
  // True if the page reloaded after the wizard succeeded.
  const [isNew] = useState(() => getTabItem(registeredKey) === true)
  useEffect(() => {
    if (!isNew || getTabItem(registeredKey) !== true) return
    removeTabItem(registeredKey)
    toast({ title: `Welcome to ${brand.name}!`, description: 'Your account has been created successfully.' })
  }, [isNew])
  if (!user) return <RegisterWizard claim={claim} />
  if (claim) {
    return (
      <Suspense fallback={<LoadingScreen />}>
        <ClaimScreen key={claim} slug={claim} />
      </Suspense>
    )
  }
  return isNew && user.userType === 'consumer' ? <Navigate to="/" replace /> : <AddBusiness user={user} />
}

function AddBusiness({ user }: { user: CurrentUser }) {
  const navigate = useNavigate()
  return (
    <div className="mx-auto grid w-full max-w-feed gap-6 px-4 py-8 sm:px-6 sm:py-12">
      <PageHeader title="Register your business" description="It gets its own page right away, with you as the owner." />
      <section className="rounded-card border border-line bg-surface p-5 sm:p-8">
        <BusinessForm
          user={user}
          type={user.hasCompletedOnboarding ? '' : (user.businessType ?? '')}
          withLicense
          onCreated={async (business) => {
            await refreshCurrentUser()
            await navigate({ to: '/business-dashboard', search: { business: business.slug } })
          }}
        />
      </section>
    </div>
  )
}

const titles: Record<WizardStep, string> = {
  'account-type': 'Account type',
  birthday: 'Birthday',
  'basic-info': 'About you',
  'business-info': 'Your business',
}

const help: Record<WizardStep, string> = {
  'account-type': 'You can register more businesses later with either account type.',
  birthday: 'Required by law. Only you can see it.',
  'basic-info': 'You’ll sign in with your email. Other members can’t see it.',
  'business-info': 'You’ll add its name, location and photos after you create your account.',
}

/** Has three steps, or four for a business. `claim` is the slug of a listing to claim afterward. */
function RegisterWizard({ claim }: { claim: string | undefined }) {
  const [defaultValues] = useState(() => {
    const values = withDraft(signUpDraft, emptySignUp)
    // Defaults to a business, unless the person selected another type in this tab.
    return values === emptySignUp ? { ...values, accountType: 'business' as const } : values
  })
  const form = useForm<SignUpValues, unknown, Registration>({ defaultValues, resolver: signUpResolver, mode: 'onTouched' })
  const { control, formState } = form
  const dropDraft = useDraft(form, signUpDraft, ['password'])
  const values = useWatch({ control }) as SignUpValues
  const { candidates } = useCandidates({ licenseNumber: values.licenseNumber ?? '' })
  const steps = stepsFor(values.accountType)
  const [step, setStep] = useState<WizardStep>('account-type')
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null)
  const position = steps.indexOf(step)
  const isLast = position === steps.length - 1

  const here = claim ? `/business/register?claim=${claim}` : '/business/register'
  const returnTo = values.accountType === 'business' ? here : '/'
  const navigate = useNavigate()
  // The claim is in the address, because the page reloads once the account exists.
  const setClaim = (slug: string | undefined) =>
    void navigate({ to: '/business/register', search: { claim: slug }, replace: true, resetScroll: false })

  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    heading.current?.focus()
  }, [step])

  function showStepOf(fields: string[]) {
    const wrong = stepWith(fields, steps)
    if (wrong) flushSync(() => setStep(wrong))
  }

  async function send(registration: Registration) {
    try {
      const { confirmEmail } = await call(register, { body: { ...registration, returnTo } })
      dropDraft()
      if (confirmEmail) return setUnconfirmed(registration.email)
      toast({ title: `Welcome to ${brand.name}!`, description: 'Your account has been created successfully.' })
      setTabItem(registeredKey, true)
      window.location.reload()
    } catch (error) {
      showStepOf(Object.keys(fieldErrors(error)))
      showServerErrors(form, error, signUpFields)
      const hasNoMessage = error instanceof ApiError && error.code === null
      const message = hasNoMessage ? 'Please try again' : (otherErrors(error, signUpFields) ?? messageOf(error, 'Please try again'))
      toast({ title: 'Registration failed', description: message, variant: 'destructive' })
    }
  }

  function showInvalid(errors: FieldErrors<SignUpValues>) {
    showStepOf(Object.keys(errors))
    const first = signUpFields.find((field) => errors[field])
    if (first) form.setFocus(first)
  }

  async function goOn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isFilled(step, values)) return
    if (isLast) return form.handleSubmit(send, showInvalid)(event)
    const next = steps[position + 1]
    if (next && (await form.trigger(fieldsOf[step], { shouldFocus: true }))) setStep(next)
  }

  if (unconfirmed) {
    return (
      <div className={column}>
        <CheckEmail
          email={unconfirmed}
          returnTo={returnTo}
          onBack={() => void navigate({ to: '/auth', search: { returnTo, tab: 'sign-in' } })}
        />
      </div>
    )
  }
  return (
    <div className={column}>
      <div>
        <h1 className="text-2xl sm:text-3xl">Create your account</h1>
        <p className="mt-1.5 text-muted">
          Already have one?{' '}
          <Link to="/auth" search={{ returnTo: here, tab: 'sign-in' }} className={textLink}>
            Sign in
          </Link>{' '}
          and register your business from there.
        </p>
      </div>
      {claim && <ClaimIntent slug={claim} onDrop={() => setClaim(undefined)} />}
      <form noValidate onSubmit={goOn} className="grid gap-6 rounded-card border border-line bg-surface p-5 sm:p-8">
        <Stepper steps={steps.map((each) => titles[each])} current={position + 1} />
        <div>
          <h2 ref={heading} tabIndex={-1} className="text-xl">
            {titles[step]}
          </h2>
          <p className="mt-1 text-muted">{help[step]}</p>
        </div>
        <div className="grid gap-4">
          {step === 'account-type' && <AccountTypeField control={control} describe />}
          {step === 'birthday' && <BirthdayField control={control} name="birthday" />}
          {step === 'basic-info' && <PersonFields control={control} />}
          {step === 'business-info' && (
            <>
              <BusinessTypeFields control={control} />
              {!claim && <CandidateOffer candidates={candidates} onPick={({ slug }) => setClaim(slug)} />}
            </>
          )}
        </div>
        {isLast && <TermsNote action="creating an account" />}
        <div className="flex flex-wrap-reverse items-center justify-between gap-3">
          {position > 0 ? (
            <Button variant="quiet" size="lg" onClick={() => setStep(steps[position - 1] as WizardStep)}>
              <ArrowLeft aria-hidden="true" />
              Back
            </Button>
          ) : (
            <span />
          )}
          <Button type="submit" size="lg" disabled={!isFilled(step, values)} pending={formState.isSubmitting} pendingText="Creating...">
            {isLast ? 'Create Account' : 'Continue'}
          </Button>
        </div>
      </form>
    </div>
  )
}

const column = 'mx-auto grid w-full max-w-feed gap-6 px-4 py-8 sm:px-6 sm:py-12'

function ClaimIntent({ slug, onDrop }: { slug: string; onDrop: () => void }) {
  const { data: business } = useQuery(businessOptions(slug))
  if (!business) return null
  return (
    <section aria-label="Your claim" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-input bg-leaf-soft p-4">
      <Store aria-hidden="true" className="size-5 shrink-0 text-leaf" />
      <p className="min-w-0 flex-1 basis-60 text-sm wrap-anywhere">
        You’re claiming <strong className="font-semibold">{business.name}</strong>
        {business.location && `, ${business.location}`}. First create your account, then prove that the business is yours.
      </p>
      <Button size="sm" variant="quiet" onClick={onDrop}>
        Not mine
      </Button>
    </section>
  )
}

/** Survives the reload after registration. */
const registeredKey = 'registered'

type WizardStep = 'account-type' | 'birthday' | 'basic-info' | 'business-info'

export function stepsFor(accountType: SignUpValues['accountType']): WizardStep[] {
  const steps: WizardStep[] = ['account-type', 'birthday', 'basic-info']
  return accountType === 'business' ? [...steps, 'business-info'] : steps
}

const filled = (text: string) => text.trim() !== ''

/** The button is enabled even if values are invalid, because submitting reports errors. */
export function isFilled(step: WizardStep, values: SignUpValues): boolean {
  switch (step) {
    case 'account-type':
      return true
    case 'birthday':
      return filled(values.birthday)
    case 'basic-info':
      return filled(values.firstName) && filled(values.lastName) && filled(values.email) && values.password !== ''
    case 'business-info':
      return values.businessType !== ''
  }
}

export const fieldsOf: Record<WizardStep, (keyof SignUpValues)[]> = {
  'account-type': ['accountType'],
  birthday: ['birthday'],
  'basic-info': ['firstName', 'lastName', 'email', 'password'],
  'business-info': ['businessType', 'licenseNumber'],
}

/** Errors appear at the first step with one of these fields. */
export function stepWith(fields: readonly string[], steps: readonly WizardStep[]): WizardStep | undefined {
  return steps.find((step) => fieldsOf[step].some((field) => fields.includes(field)))
}

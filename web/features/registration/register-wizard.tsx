import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type FieldErrors, useForm, useWatch } from 'react-hook-form'
import { type Registration, register } from '../../../contracts/accounts.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { brand } from '../../lib/boot.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Stepper } from '../../ui/stepper.tsx'
import { toast } from '../../ui/toast-store.ts'
import { AccountTypeField } from '../accounts/account-type-field.tsx'
import { BirthdayField } from '../accounts/birthday-field.tsx'
import { BusinessTypeFields } from '../accounts/business-type-fields.tsx'
import { CheckEmail } from '../accounts/check-email.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { PersonFields } from '../accounts/person-fields.tsx'
import { fieldErrors, showServerErrors } from '../accounts/server-errors.ts'
import { emptySignUp, type SignUpValues, signUpDraft, signUpFields, signUpResolver } from '../accounts/sign-up-schema.ts'
import { remember } from '../accounts/tab-memory.ts'
import { TermsNote } from '../accounts/terms-note.tsx'
import { CandidateOffer, useCandidates } from '../claims/candidate-offer.tsx'
import { ClaimIntent } from '../claims/claim-intent.tsx'
import { registeredKey } from './registered.ts'
import { fieldsOf, isFilled, stepsFor, stepWith, type WizardStep } from './wizard-steps.ts'

const titles: Record<WizardStep, string> = {
  'account-type': 'Account type',
  birthday: 'Birthday',
  'basic-info': 'About you',
  'business-info': 'Your business',
}

const help: Record<WizardStep, string> = {
  'account-type': 'You can register further businesses later with either one.',
  birthday: 'The law asks for it. Nobody else sees it.',
  'basic-info': 'Your email is how you sign in. Nobody else sees it.',
  'business-info': 'Its name, place and pictures follow once your account exists.',
}

/** Makes an account in three steps, or in four for a business. With `claim`, the slug of a listing, claiming that one comes after it. */
export function RegisterWizard({ claim }: { claim: string | undefined }) {
  const [defaultValues] = useState(() => {
    const values = withDraft(signUpDraft, emptySignUp)
    // Whoever comes to register a business means a business, unless they have said otherwise in this tab.
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

  const navigate = useNavigate()
  // Kept in the address: the page is loaded again when the account exists.
  const setClaim = (slug: string | undefined) =>
    void navigate({ to: '/business/register', search: { claim: slug }, replace: true, resetScroll: false })

  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    heading.current?.focus()
  }, [step])

  /** Where the first of these errors stands, so that it can be seen. */
  function showStepOf(fields: string[]) {
    const wrong = stepWith(fields, steps)
    if (wrong) flushSync(() => setStep(wrong))
  }

  async function send(registration: Registration) {
    try {
      const { confirmEmail } = await call(register, { body: registration })
      dropDraft()
      if (confirmEmail) return setUnconfirmed(registration.email)
      toast({ title: `Welcome to ${brand.name}!`, description: 'Your account has been created successfully.' })
      remember(registeredKey, true)
      window.location.reload()
    } catch (error) {
      showStepOf(Object.keys(fieldErrors(error)))
      showServerErrors(form, error, signUpFields)
      const hasNoMessage = error instanceof ApiError && error.code === null
      const message = hasNoMessage ? 'Please try again' : messageOf(error, 'Please try again')
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
        <CheckEmail email={unconfirmed} onBack={() => setUnconfirmed(null)} />
      </div>
    )
  }
  return (
    <div className={column}>
      <div>
        <h1 className="text-2xl sm:text-3xl">Create your account</h1>
        <p className="mt-1.5 text-muted">
          Already have one?{' '}
          <Link to="/auth" search={{ returnTo: claim ? `/business/register?claim=${claim}` : '/business/register' }} className={textLink}>
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

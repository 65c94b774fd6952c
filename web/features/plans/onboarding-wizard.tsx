import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Store, UserRound } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { listBusinesses, listMyBusinesses } from '../../../contracts/businesses.ts'
import { brand } from '../../lib/boot.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { RadioCard, RadioCards } from '../../ui/radio-cards.tsx'
import { Stepper } from '../../ui/stepper.tsx'
import { toast } from '../../ui/toast-store.ts'
import { refreshBilling } from '../billing/billing.api.ts'
import { BusinessDetails } from './business-details.tsx'
import { canContinue, type OnboardingDraft } from './onboarding-draft.ts'
import { PersonalDetails } from './personal-details.tsx'
import { WizardFoot } from './wizard-foot.tsx'

type OnboardingWizardProps = {
  user: CurrentUser
  draft: OnboardingDraft
  /** Null: it is done. */
  onChange: (draft: OnboardingDraft | null) => void
}

/** What follows a purchase on the plans page, in three steps. */
export function OnboardingWizard({ user, draft, onChange }: OnboardingWizardProps) {
  const client = useQueryClient()
  const { step, userType, isOver18 } = draft
  const goTo = (next: OnboardingDraft['step']) => onChange({ ...draft, step: next })
  const names = ['Age Verification', 'Account Type', userType === 'consumer' ? 'Personal Details' : 'Business Details']
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is heard and read from its beginning
  useEffect(() => heading.current?.focus(), [step])

  async function finish() {
    toast({ title: `Welcome to ${brand.name}!`, description: 'Your profile has been created successfully.' })
    onChange(null)
    window.scrollTo({ top: 0 })
    await Promise.all([
      refreshBilling(client),
      ...[listMyBusinesses, listBusinesses].map(({ path }) => client.invalidateQueries({ queryKey: [path] })),
    ])
  }

  const back = step > 1 && (
    <Button variant="quiet" size="lg" onClick={() => goTo(step === 3 ? 2 : 1)}>
      <ArrowLeft aria-hidden="true" />
      Back
    </Button>
  )
  return (
    <div className="mx-auto max-w-[42.5rem] px-4 pt-8 pb-20 sm:px-6 sm:pt-12">
      <p className="text-muted">
        {draft.planName}
        {draft.business && ` for ${draft.business.name}`} is yours. Three short steps set up the rest.
      </p>
      <Stepper steps={names} current={step} className="mt-5" />
      <section className="mt-6 rounded-card border border-line bg-surface p-5 shadow-lift sm:p-8">
        <h1 ref={heading} tabIndex={-1} className="mb-5 text-2xl">
          {names[step - 1]}
        </h1>
        {step === 3 && userType === 'business' && <BusinessDetails user={user} draft={draft} onSaved={finish} back={back} />}
        {step === 3 && userType === 'consumer' && <PersonalDetails user={user} onSaved={finish} back={back} />}
        {step < 3 && (
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              if (canContinue(draft)) goTo(step === 1 ? 2 : 3)
            }}
            className="grid gap-6"
          >
            {step === 1 && (
              <>
                <p className="text-muted">You must be 18 years or older to use {brand.name}.</p>
                <Checkbox checked={isOver18} onChange={(event) => onChange({ ...draft, isOver18: event.target.checked })}>
                  I confirm that I am 18 years or older
                </Checkbox>
              </>
            )}
            {step === 2 && (
              <RadioCards legend="What is this account for?">
                <RadioCard
                  name="userType"
                  value="business"
                  icon={<Store aria-hidden="true" />}
                  title="Business"
                  description="A farm or a dispensary with a page of its own."
                  checked={userType === 'business'}
                  onChange={() => onChange({ ...draft, userType: 'business' })}
                />
                <RadioCard
                  name="userType"
                  value="consumer"
                  icon={<UserRound aria-hidden="true" />}
                  title="Consumer"
                  description={
                    draft.business ? 'Your own profile.' : 'Your own profile. The plan waits for a business on the billing page.'
                  }
                  checked={userType === 'consumer'}
                  onChange={() => onChange({ ...draft, userType: 'consumer' })}
                />
              </RadioCards>
            )}
            <WizardFoot back={back}>
              <Button type="submit" size="lg" disabled={!canContinue(draft)}>
                Continue
              </Button>
            </WizardFoot>
          </form>
        )}
      </section>
    </div>
  )
}

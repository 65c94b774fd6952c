import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Check, Store, UserRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { entitlementsOf } from '#contracts/entitlements.ts'
import type { Plan } from '#contracts/plans.ts'
import { businessPlanStatusOptions, refreshBilling } from '#web/entities/billing/billing.api.ts'
import { planPrice } from '#web/entities/billing/billing-words.ts'
import { PurchasePanel } from '#web/entities/billing/purchase-panel.tsx'
import { myBusinessesOptions, refreshMyBusinesses, refreshShownBusinesses } from '#web/entities/businesses/businesses.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { planWords } from '#web/lib/time-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Stepper } from '#web/ui/stepper.tsx'
import { toast } from '#web/ui/toast-store.ts'
import {
  BusinessDetails,
  canContinue,
  type OnboardingDraft,
  PersonalDetails,
  recallOnboarding,
  saveOnboarding,
  startOnboarding,
  WizardFoot,
} from './details-steps.tsx'
import { PlansView } from './plans-view.tsx'

const later = ''

export default function MemberPlans({ user }: { user: CurrentUser }) {
  const [draft, setDraft] = useState(() => recallOnboarding(user.id))
  const [chosen, choose] = useState<string>()
  const list = useQuery(myBusinessesOptions)
  const owned = list.data?.filter(({ role }) => role === 'owner') ?? []
  const business = chosen === later ? null : (owned.find(({ id }) => id === chosen) ?? owned[0] ?? null)
  const planStatus = useQuery({ ...businessPlanStatusOptions(business?.id ?? ''), enabled: business !== null })

  const saveDraft = (next: OnboardingDraft | null) => {
    saveOnboarding(user.id, next)
    setDraft(next)
  }
  // Unmounting the wizard removes its focused button, so move focus.
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !draft) document.querySelector('main')?.focus({ preventScroll: true })
    wasOpen.current = draft !== null
  }, [draft])
  if (draft) return <OnboardingWizard user={user} draft={draft} onChange={saveDraft} />

  const action = (plan: Plan) => {
    if (list.isPending || planStatus.isLoading) return <Skeleton className="h-12" />
    // Without the status, the page couldn't warn people who would pay twice.
    const failed = list.error ? list : planStatus.error ? planStatus : null
    if (failed) {
      return (
        <div role="alert" className="grid justify-items-start gap-3 text-muted text-sm">
          {failed === list ? 'Your businesses' : 'Your plans'} couldn’t be loaded. {messageOf(failed.error)}
          <Button variant="secondary" onClick={() => void failed.refetch()} pending={failed.isFetching}>
            Retry
          </Button>
        </div>
      )
    }
    const current = planStatus.data?.plans.find(({ id }) => id === plan.id)
    if (business && current) {
      return (
        <p className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="flex items-center gap-2 font-medium text-leaf">
            <Check aria-hidden="true" className="size-4.5" />
            Active for {planWords(business.label, current.endsAt)}
          </span>
          <Link to="/billing" search={{ business: business.slug }} className={`${textLink} text-sm`}>
            Billing
          </Link>
        </p>
      )
    }
    // The starter plan, which lifts a menu's limit, belongs to a person rather than a business.
    const names = planStatus.data?.plans.filter(({ id }) => id !== 'starter').map(({ name }) => name) ?? []
    const runs = business && planStatus.data && names.length > 0 ? planStatus.data : null
    if (runs && entitlementsOf([plan.id]).isSubsetOf(new Set(runs.entitlements))) {
      return (
        <p className="flex min-h-12 items-center gap-2 text-muted">
          <Check aria-hidden="true" className="size-4.5 shrink-0" />
          Included in {names.join(' and ')}
        </p>
      )
    }
    return (
      <div className="grid gap-3">
        {runs && business && (
          <p className="text-muted text-sm">
            {business.label} has {names.join(' and ')}. To replace it,{' '}
            <Link to="/billing" search={{ business: business.slug }} className={textLink}>
              change the plan
            </Link>
            . If you subscribe here, you’ll pay for both.
          </p>
        )}
        {owned.length === 0 && (
          <p className="text-muted text-sm">
            This plan is for a business, and you don’t own one here yet. You’ll add it during setup right after you subscribe. Until then,
            the plan won’t unlock anything.
          </p>
        )}
        <PurchasePanel
          order={{ planId: plan.id, businessId: business?.id ?? null, price: planPrice(plan) }}
          subject={plan.name}
          onApproved={(bought) => {
            saveDraft(startOnboarding(bought, plan.name, business))
            window.scrollTo({ top: 0 })
          }}
        />
      </div>
    )
  }
  return (
    <PlansView
      action={action}
      question={
        owned.length > 0 && (
          <Field label="For which business?" className="mx-auto mb-6 max-w-md">
            <Select value={business?.id ?? later} onChange={(event) => choose(event.target.value)}>
              {owned.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
              <option value={later}>One I’ll add later</option>
            </Select>
          </Field>
        )
      }
    />
  )
}

type OnboardingWizardProps = {
  user: CurrentUser
  draft: OnboardingDraft
  /** Null when completed. */
  onChange: (draft: OnboardingDraft | null) => void
}

function OnboardingWizard({ user, draft, onChange }: OnboardingWizardProps) {
  const client = useQueryClient()
  const { step, userType, isOver18 } = draft
  const goTo = (next: OnboardingDraft['step']) => onChange({ ...draft, step: next })
  const names = ['Age Verification', 'Account Type', userType === 'consumer' ? 'Personal Details' : 'Business Details']
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at every step, so people start at its beginning
  useEffect(() => heading.current?.focus(), [step])

  async function finish() {
    toast({ title: `Welcome to ${brand.name}!`, description: 'Your profile has been created successfully.' })
    onChange(null)
    window.scrollTo({ top: 0 })
    await Promise.all([refreshBilling(client), refreshMyBusinesses(client), refreshShownBusinesses(client)])
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
        {draft.business && ` for ${draft.business.name}`} is yours. Set it up in three quick steps.
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
                  description="A farm or dispensary with its own page."
                  checked={userType === 'business'}
                  onChange={() => onChange({ ...draft, userType: 'business' })}
                />
                <RadioCard
                  name="userType"
                  value="consumer"
                  icon={<UserRound aria-hidden="true" />}
                  title="Consumer"
                  description={
                    draft.business
                      ? 'Your own profile.'
                      : 'Your own profile. You can assign the plan to a business later on the billing page.'
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

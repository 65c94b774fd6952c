import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { entitlementsOf } from '../../../contracts/entitlements.ts'
import type { Plan } from '../../../contracts/plans.ts'
import { messageOf } from '../../lib/api-error.ts'
import { planWords } from '../../lib/plan-words.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { businessStandingOptions } from '../billing/billing.api.ts'
import { PurchasePanel } from '../billing/purchase-panel.tsx'
import { myBusinessesOptions } from '../businesses/businesses.api.ts'
import { keepOnboarding, type OnboardingDraft, recallOnboarding, startOnboarding } from './onboarding-draft.ts'
import { OnboardingWizard } from './onboarding-wizard.tsx'
import { PlansView } from './plans-view.tsx'

/** The value of "none of them" in the select. */
const later = ''

/** The plans with the payment provider's buttons, and the wizard that follows a purchase. */
export default function MemberPlans({ user }: { user: CurrentUser }) {
  const [draft, setDraft] = useState(() => recallOnboarding(user.id))
  const [chosen, choose] = useState<string>()
  const list = useQuery(myBusinessesOptions)
  const owned = list.data?.filter(({ role }) => role === 'owner') ?? []
  const business = chosen === later ? null : (owned.find(({ id }) => id === chosen) ?? owned[0] ?? null)
  const standing = useQuery({ ...businessStandingOptions(business?.id ?? ''), enabled: business !== null })

  const keep = (next: OnboardingDraft | null) => {
    keepOnboarding(user.id, next)
    setDraft(next)
  }
  // With the wizard, its button goes away.
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !draft) document.querySelector('main')?.focus({ preventScroll: true })
    wasOpen.current = draft !== null
  }, [draft])
  if (draft) return <OnboardingWizard user={user} draft={draft} onChange={keep} />

  const action = (plan: Plan) => {
    if (list.isPending || standing.isLoading) return <Skeleton className="h-12" />
    if (list.error) {
      return (
        <div role="alert" className="grid justify-items-start gap-3 text-muted text-sm">
          Your businesses could not be loaded. {messageOf(list.error)}
          <Button variant="secondary" onClick={() => void list.refetch()} pending={list.isFetching}>
            Retry
          </Button>
        </div>
      )
    }
    const current = standing.data?.plans.find(({ id }) => id === plan.id)
    if (business && current) {
      return (
        <p className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="flex items-center gap-2 font-medium text-leaf">
            <Check aria-hidden="true" className="size-4.5" />
            Active for {planWords(business.name, current.endsAt)}
          </span>
          <Link to="/billing" search={{ business: business.slug }} className={`${textLink} text-sm`}>
            Billing
          </Link>
        </p>
      )
    }
    // A person's plan that lifts the limit of its menu is no plan of the business.
    const names = standing.data?.plans.filter(({ id }) => id !== 'starter').map(({ name }) => name) ?? []
    const runs = business && standing.data && names.length > 0 ? standing.data : null
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
            {business.name} has {names.join(' and ')}. To replace it,{' '}
            <Link to="/billing" search={{ business: business.slug }} className={textLink}>
              change the plan
            </Link>
            . If you subscribe here, you pay for both.
          </p>
        )}
        {owned.length === 0 && (
          <p className="text-muted text-sm">
            This plan is for a business, and you don’t own one here yet. You add it in the setup right after you subscribe. Until then the
            plan unlocks nothing.
          </p>
        )}
        <PurchasePanel
          order={{ planId: plan.id, businessId: business?.id ?? null }}
          subject={plan.name}
          onApproved={(bought) => {
            keep(startOnboarding(bought, plan.name, business))
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
              {owned.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
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

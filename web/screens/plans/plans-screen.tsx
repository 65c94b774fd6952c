import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { buttonLook, lookOf } from '#web/entities/billing/use-purchase.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PlansView } from './plans-view.tsx'

const MemberPlans = lazy(() => import('./member-plans.tsx'))

/** At the route named after the brand. Only members load the code for buying. */
export function PlansScreen() {
  const user = useCurrentUser()
  const here = useLocation({ select: ({ href }) => href })
  if (user) {
    return (
      <Suspense fallback={<PlansView action={() => <Skeleton className="h-12" />} />}>
        <MemberPlans user={user} />
      </Suspense>
    )
  }
  return (
    <PlansView
      action={(plan) => {
        const look = buttonLook(lookOf(plan.id))
        return (
          <a href={`/api/login?returnTo=${encodeURIComponent(here)}`} className={buttonClass(look.variant, 'lg', look.className)}>
            <span>
              Subscribe<span className="sr-only"> to {plan.name}</span>
            </span>
          </a>
        )
      }}
    />
  )
}

import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useCurrentUser } from '../../lib/current-user.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { buttonLook, lookOf } from '../billing/provider-look.ts'
import { PlansView } from './plans-view.tsx'

const MemberPlans = lazy(() => import('./member-plans.tsx'))

/** The page at the route that is named after the brand. Members can buy here; the code for that comes when there is a member. */
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

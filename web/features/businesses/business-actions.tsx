import { lazy, Suspense } from 'react'
import type { Business } from '../../../contracts/businesses.ts'
import { boot } from '../../lib/boot.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { ActionsSkeleton } from './actions-skeleton.tsx'
import { useMonthlyPrice, VisitorSubscribe } from './visitor-subscribe.tsx'

// It waits for an answer anyway: its code comes at the same time.
const load = () => import('./member-actions.tsx')
const MemberActions = lazy(load)
if (boot.user) void load().catch(() => undefined)

/** What can be done about a business. A visitor has one button, which leads to signing in and back here. */
export function BusinessActions({ business }: { business: Business }) {
  const user = useCurrentUser()
  if (!user) return <VisitorActions business={business} />
  return (
    <Suspense fallback={<ActionsSkeleton />}>
      <MemberActions business={business} />
    </Suspense>
  )
}

const VisitorActions = ({ business }: { business: Business }) => <VisitorSubscribe price={useMonthlyPrice(business.id, true)} />

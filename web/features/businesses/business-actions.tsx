import { lazy, Suspense } from 'react'
import type { Business } from '../../../contracts/businesses.ts'
import { boot } from '../../lib/boot.ts'
import { ActionsSkeleton } from './actions-skeleton.tsx'

// It waits for an answer anyway: its code comes at the same time.
const load = () => import('./member-actions.tsx')
const MemberActions = lazy(load)
if (boot.user) void load().catch(() => undefined)

/** What can be done about a business. Visitors meet the screen to sign in instead of a business's page. */
export const BusinessActions = ({ business }: { business: Business }) => (
  <Suspense fallback={<ActionsSkeleton />}>
    <MemberActions business={business} />
  </Suspense>
)

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { businessToolsPlan, freeAllowance } from '#contracts/business-plans.ts'
import type { Business } from '#contracts/businesses.ts'
import { formatMonthlyPrice } from '#contracts/plans.ts'
import { businessPlanStatusOptions } from '#web/entities/billing/billing.api.ts'
import { planPrice } from '#web/entities/billing/billing-words.ts'
import { PurchasePanel } from '#web/entities/billing/purchase-panel.tsx'
import { businessStatusOptions } from '#web/entities/businesses/businesses.api.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { planWords } from '#web/lib/time-words.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { useRefocus } from '#web/ui/focus.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'

const paid = [
  'Customer subscriptions at your own prices',
  'Unlimited menus and locations',
  'Analytics',
  'Priority support',
  'You keep 100% of your subscription revenue',
]
const free = [
  `Up to ${freeAllowance.menuItems} menu items and ${freeAllowance.locations} locations`,
  'Profile',
  'Reviews',
  'Discovery',
  'Basic notifications',
]

export function BusinessToolsTab({ business }: { business: Business }) {
  const user = useCurrentUser()
  return (
    <div className="grid gap-5">
      <p className="max-w-text text-muted">For the people who run {business.name}.</p>
      {user ? <ForMember business={business} /> : <Plans foot={<ForOthers business={business} />} />}
    </div>
  )
}

function ForMember({ business }: { business: Business }) {
  const status = useQuery(businessStatusOptions(business.id))
  if (status.isPending) return <Loading />
  // If the status couldn't be loaded, show what people outside the team see.
  const role = status.data?.role ?? null
  if (role === 'owner') return <ForOwner business={business} />
  return (
    <Plans
      foot={role === null ? <ForOthers business={business} /> : <Note>The owner of {business.name} can buy Business Tools here.</Note>}
    />
  )
}

function ForOwner({ business }: { business: Business }) {
  const { data: planStatus, isPending, error, refetch, isFetching } = useQuery(businessPlanStatusOptions(business.id))
  const isActive = planStatus?.entitlements.includes('own_prices') ?? false
  const status = useRefocus<HTMLParagraphElement>(planStatus ? String(isActive) : null)
  if (isPending) return <Loading />
  if (!planStatus) {
    return <LoadError level={3} title="The plan couldn’t be loaded" query={{ error, refetch, isFetching }} />
  }
  return (
    <>
      <p ref={status} tabIndex={-1} className="flex scroll-mt-24 flex-wrap items-center gap-x-3 gap-y-2">
        <Badge variant={isActive ? 'leaf' : 'outline'}>{isActive ? 'Business Tools Active' : 'Free Account'}</Badge>
        <span className="text-muted text-sm empty:hidden">
          {planStatus.plans.map(({ name, endsAt }) => planWords(name, endsAt)).join(', ')}
        </span>
      </p>
      <Plans
        foot={
          isActive ? (
            <div className="flex flex-wrap gap-2">
              <Button asChild variant="secondary" size="sm">
                <Link to="/billing" search={{ business: business.slug }}>
                  Plan and receipts
                </Link>
              </Button>
              <Button asChild variant="secondary" size="sm">
                <Link to="/business-dashboard" search={{ business: business.slug, tab: 'subscriptions' }}>
                  Your subscriptions
                </Link>
              </Button>
              <Button asChild variant="secondary" size="sm">
                <Link to="/business-dashboard/menu" search={{ business: business.slug }}>
                  Your menu
                </Link>
              </Button>
            </div>
          ) : (
            <PurchasePanel
              order={{ planId: businessToolsPlan.id, businessId: business.id, price: planPrice(businessToolsPlan) }}
              subject={`${businessToolsPlan.name} for ${business.name}`}
            />
          )
        }
      />
    </>
  )
}

function ForOthers({ business }: { business: Business }) {
  return (
    <Note>
      Only the owner of {business.name} can buy Business Tools.{' '}
      {!business.isClaimed && !business.isDemo && (
        <Link to="/business/register" search={{ claim: business.slug }} className={textLink}>
          Is this your business?
        </Link>
      )}
    </Note>
  )
}

const Note = ({ children }: { children: ReactNode }) => <p className="text-muted text-sm">{children}</p>

function Plans({ foot }: { foot: ReactNode }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
      <Plan name={businessToolsPlan.name} price={formatMonthlyPrice(businessToolsPlan.monthlyCents)} per="per month" features={paid}>
        {foot}
      </Plan>
      <Plan name="Free" price="$0" per="for every business" features={free} />
    </div>
  )
}

type PlanProps = { name: string; price: string; per: string; features: string[]; children?: ReactNode }

function Plan({ name, price, per, features, children }: PlanProps) {
  return (
    <Card>
      <CardBody className="flex h-full flex-col">
        <h3 className="text-lg">{name}</h3>
        <p className="mt-1 flex items-baseline gap-2">
          <span className="font-display text-2xl tabular-nums">{price}</span>
          <span className="text-muted text-sm">{per}</span>
        </p>
        <ul className="mt-4 grid gap-2 text-[0.9375rem]">
          {features.map((feature) => (
            <li key={feature} className="flex gap-2.5">
              <Check aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-leaf" />
              {feature}
            </li>
          ))}
        </ul>
        {children && <div className="mt-auto pt-5">{children}</div>}
      </CardBody>
    </Card>
  )
}

const Loading = () => (
  <SkeletonGroup className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
    <Skeleton className="h-72 rounded-card" />
    <Skeleton className="h-72 rounded-card" />
  </SkeletonGroup>
)

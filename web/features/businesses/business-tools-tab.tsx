import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { Business } from '../../../contracts/businesses.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { textLink } from '../../ui/link-styles.ts'

const paid = [
  'Customer subscriptions at your own prices',
  'Unlimited menus and locations',
  'Analytics',
  'Priority support',
  'You keep 100% of your subscriptions’ revenue',
]
const free = ['Up to 5 menu items and 5 locations', 'Profile', 'Reviews', 'Discovery', 'Basic notifications']

/** What Business Tools are. There is no button: this server takes no payments yet. */
export function BusinessToolsTab({ business }: { business: Business }) {
  return (
    <div className="grid gap-5">
      <p className="max-w-text text-muted">For those who run {business.name}. No plan moves a business up a list.</p>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
        <Plan name="Business Tools" price="$75" per="per month" features={paid} />
        <Plan name="Free" price="$0" per="for every business" features={free} />
      </div>
      <p className="max-w-text rounded-input bg-sunk p-4 text-[0.9375rem]">
        This server does not take payments yet, so Business Tools cannot be bought here today. Everything in the free plan works without
        them.{' '}
        {!business.isClaimed && !business.isDemo && (
          <Link to="/business/register" className={textLink}>
            Is this your business?
          </Link>
        )}
      </p>
    </div>
  )
}

function Plan({ name, price, per, features }: { name: string; price: string; per: string; features: string[] }) {
  return (
    <Card>
      <CardBody>
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
      </CardBody>
    </Card>
  )
}

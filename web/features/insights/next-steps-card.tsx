import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { CheckCheck, ChevronRight } from 'lucide-react'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import type { NextStep } from '../../../contracts/insights.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { nextStepsOptions } from './insights.api.ts'

/** What is worth doing today. It is a help at the side: when it cannot be had, the page goes without. */
export function NextStepsCard({ business }: { business: MyBusiness }) {
  const { data: steps, isPending } = useQuery(nextStepsOptions(business.id))
  if (isPending) return <Skeleton className="h-36 rounded-card" />
  if (!steps) return null
  return (
    <Card asChild>
      <section aria-label="What to do next">
        <CardBody>
          <h2 className="text-lg">What to do next</h2>
          {steps.length === 0 ? (
            <p className="mt-2 flex gap-2.5 text-[0.9375rem] text-muted">
              <CheckCheck aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-leaf" />
              Nothing waits: the menu is fresh, reviews are answered and the hours are there.
            </p>
          ) : (
            <ul className="-mx-2 mt-2 grid gap-0.5">
              {steps.map((step) => (
                <li key={step.kind}>
                  <Step step={step} business={business} />
                </li>
              ))}
            </ul>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

function Step({ step, business }: { step: NextStep; business: MyBusiness }) {
  const { title, why, link } = stepWords(step, business)
  return (
    <Link
      {...link}
      className="group flex items-center gap-3 rounded-input px-2 py-2 transition-colors hover:bg-sunk focus-visible:-outline-offset-2"
    >
      <span className="min-w-0 flex-1">
        <span className="block font-medium text-[0.9375rem]">{title}</span>
        <span className="block text-muted text-sm">{why}</span>
      </span>
      <ChevronRight
        aria-hidden="true"
        className="size-4.5 shrink-0 text-muted transition-transform group-hover:translate-x-0.5 motion-reduce:transition-none"
      />
    </Link>
  )
}

const counted = (count: number | null, one: string, many: string) => `${count ?? 0} ${count === 1 ? one : many}`

function stepWords({ kind, count }: NextStep, { slug }: MyBusiness) {
  const search = { business: slug }
  const menu = linkOptions({ to: '/business-dashboard/menu', search })
  const license = linkOptions({ to: '/business-dashboard/license', search })
  switch (kind) {
    case 'no_menu':
      return { title: 'Put your menu up', why: 'Shoppers look for products first.', link: menu }
    case 'old_menu':
      return {
        title: `Confirm ${counted(count, 'menu item', 'menu items')}`,
        why: 'Not confirmed for more than a week: shoppers see how old a menu is.',
        link: menu,
      }
    case 'reviews':
      return {
        title: `Answer ${counted(count, 'review', 'reviews')}`,
        why: 'An answer is read by everybody who reads the review.',
        link: linkOptions({ to: '/business/$id', params: { id: slug }, search: { tab: 'reviews' } }),
      }
    case 'license_expires':
      return {
        title: count === 0 ? 'Your license expires today' : `Your license expires in ${counted(count, 'day', 'days')}`,
        why: 'When it does, the page says so. Renewed already? Have it checked.',
        link: license,
      }
    case 'license_expired':
      return { title: 'Your license has expired', why: 'The page says so. Have the new one checked.', link: license }
    case 'no_license':
      return { title: 'Verify your license', why: "It's free, and shoppers look for it.", link: license }
    case 'no_description':
      return {
        title: 'Say what you are about',
        why: 'Your page has no description yet.',
        link: linkOptions({ to: '/business-dashboard/profile', search }),
      }
    case 'no_hours':
      return {
        title: 'State your hours',
        why: 'Then your page says whether you are open now.',
        link: linkOptions({ to: '/business-dashboard', search: { ...search, tab: 'locations' } }),
      }
    case 'no_posts':
      return {
        title: 'Write a post',
        why: 'None in the last three weeks: followers hear of posts in their feed.',
        link: linkOptions({ to: '/business-dashboard', search: { ...search, tab: 'social' } }),
      }
  }
}

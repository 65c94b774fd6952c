import { Link } from '@tanstack/react-router'
import { Eye, type LucideIcon, Sprout, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { businessPlans, businessToolsPlan, freeAllowance } from '#contracts/business-plans.ts'
import { formatMonthlyPrice, type Plan } from '#contracts/plans.ts'
import { PlanCard } from '#web/entities/plans/plan-card.tsx'
import { brand } from '#web/lib/boot.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { textLink } from '#web/ui/link-styles.ts'

const tiles: { title: string; text: string; Icon: LucideIcon }[] = [
  {
    title: 'Enhanced Visibility',
    text: 'A page that shows who you are: a gallery, a video, social links and a verified license.',
    Icon: Eye,
  },
  { title: 'Community Culture', text: 'Your followers hear from you, and you hear from them.', Icon: Sprout },
  { title: 'Business Tools', text: 'Subscriptions at your own prices, unlimited locations and analytics.', Icon: Wrench },
]

type PlansViewProps = {
  question?: ReactNode
  action: (plan: Plan) => ReactNode
}

export function PlansView({ question, action }: PlansViewProps) {
  return (
    <div className="mx-auto max-w-page px-4 pt-12 pb-20 sm:px-6 sm:pt-16">
      <header className="mx-auto max-w-text text-center">
        <h1 className="text-3xl sm:text-4xl">{brand.name} plans</h1>
        <p className="mt-4 text-lg text-muted">Subscribe to unlock visibility, tools, and culture.</p>
      </header>

      <section aria-labelledby="plans" className="mx-auto mt-10 max-w-4xl sm:mt-12">
        <h2 id="plans" className="sr-only">
          Plans
        </h2>
        {question}
        <ul className="grid gap-5 md:grid-cols-2">
          {businessPlans.map((plan) => (
            <li key={plan.id}>
              <PlanCard plan={plan}>{action(plan)}</PlanCard>
            </li>
          ))}
        </ul>
        <p className="mx-auto mt-6 max-w-text text-center text-muted">
          The badge also requires a verified license, so it can’t simply be bought. No one can pay to rank higher.
        </p>
      </section>

      <section aria-label="What plans are for" className="mt-14 sm:mt-20">
        <ul className="grid divide-y divide-line rounded-card border border-line bg-surface md:grid-cols-3 md:divide-x md:divide-y-0">
          {tiles.map(({ title, text, Icon }) => (
            <li key={title} className="p-6 sm:p-8">
              <span className="grid size-11 place-items-center rounded-full bg-leaf-soft text-leaf">
                <Icon aria-hidden="true" className="size-5.5" strokeWidth={1.75} />
              </span>
              <h2 className="mt-5 text-lg">{title}</h2>
              <p className="mt-1.5 max-w-[38ch] text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </section>

      <section aria-labelledby="more-plans" className="mx-auto mt-14 max-w-4xl sm:mt-20">
        <h2 id="more-plans" className="text-center text-xl">
          More pricing plans coming soon!
        </h2>
        <ul className="mt-6 grid gap-5 sm:grid-cols-2">
          {['Starter Plan', 'Enterprise Plan'].map((name) => (
            <li key={name} className="grid min-h-28 place-items-center rounded-card border-2 border-line border-dashed p-6 text-muted">
              {name}
            </li>
          ))}
        </ul>
      </section>

      <ForBusinesses />
    </div>
  )
}

function ForBusinesses() {
  return (
    <section id="business" aria-labelledby="business-title" className="mt-16 scroll-mt-20 border-line border-t pt-14 sm:mt-24 sm:pt-20">
      <div className="grid gap-10 lg:grid-cols-[1fr_1.15fr] lg:gap-16">
        <div>
          <h2 id="business-title" className="max-w-[18ch] text-2xl sm:text-3xl">
            Free for every business
          </h2>
          <p className="mt-4 max-w-text text-lg text-muted">
            Being listed is free. Thousands of licensed farms and shops are already in the directory, from public registers. Yours may be
            one of them.
          </p>
          <div className="mt-7 flex flex-wrap gap-3">
            <Link to="/business/register" className={buttonClass('primary', 'lg')}>
              Register your business
            </Link>
            <Link to="/resources" className={buttonClass('secondary', 'lg')}>
              Business resources
            </Link>
          </div>
        </div>
        <dl className="grid gap-6 sm:grid-cols-2">
          <Fact title="A directory listing">On the list and the map, ranked by rating, license and distance.</Fact>
          <Fact title="Your license on your page">With its number, authority, source and date, once it’s verified.</Fact>
          <Fact title={`${freeAllowance.menuItems} menu items, ${freeAllowance.locations} locations`}>
            Every business also gets a logo, a cover, hours, a menu editor and imports.
          </Fact>
          <Fact title={`Business Tools, ${formatMonthlyPrice(businessToolsPlan.monthlyCents)} per month`}>
            Removes those limits and adds subscriptions at your own prices. <br />
            <Link to="/resources" hash="tools" className={textLink}>
              What it adds
            </Link>
          </Fact>
        </dl>
      </div>
    </section>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="border-leaf border-l-2 pl-5">
      <dt className="font-display text-lg">{title}</dt>
      <dd className="mt-1 text-muted">{children}</dd>
    </div>
  )
}

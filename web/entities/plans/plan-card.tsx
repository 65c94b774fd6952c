import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMonthlyPrice, type Plan } from '#contracts/plans.ts'
import { Badge } from '#web/ui/badge.tsx'
import { cx } from '#web/ui/cx.ts'

type PlanCardProps = {
  plan: Plan
  children: ReactNode
}

export function PlanCard({ plan, children }: PlanCardProps) {
  return (
    <article
      className={cx(
        'flex h-full flex-col rounded-card border bg-surface p-6 sm:p-8',
        plan.badge ? 'border-leaf ring-1 ring-leaf' : 'border-line',
      )}
    >
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-2">
        <h3 className="text-xl">{plan.name}</h3>
        {plan.badge && <Badge variant="leaf">{plan.badge}</Badge>}
      </div>
      <p className="mt-4 flex items-baseline gap-1.5">
        <span className="font-display text-3xl tabular-nums">{formatMonthlyPrice(plan.monthlyCents)}</span>
        <span className="text-muted">per month</span>
      </p>
      <ul className="mt-6 grid gap-2.5 border-line border-t pt-6">
        {plan.features.map((feature) => (
          <li key={feature} className="flex gap-2.5">
            <Check aria-hidden="true" className="mt-0.75 size-4.5 shrink-0 text-leaf" strokeWidth={2.25} />
            {feature}
          </li>
        ))}
      </ul>
      <div className="mt-auto pt-8">{children}</div>
    </article>
  )
}

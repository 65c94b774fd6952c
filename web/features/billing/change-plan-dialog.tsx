import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Agreement } from '../../../contracts/billing.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Dialog, DialogContent } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { RadioCard, RadioCards } from '../../ui/radio-cards.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { moneyText } from './agreement-words.ts'
import { plansOptions } from './billing.api.ts'
import { PurchasePanel } from './purchase-panel.tsx'

/** An upgrade or a downgrade: the new plan is bought, and the old one ends when it begins. */
export function ChangePlanDialog({ agreement, onClose }: { agreement: Agreement; onClose: () => void }) {
  const { data, isPending, error, refetch, isFetching } = useQuery(plansOptions)
  const [chosen, choose] = useState<string>()
  const plans = data?.plans.filter(({ id }) => agreement.changesTo.includes(id)) ?? []
  const plan = plans.find(({ id }) => id === chosen)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Change plan" description={agreement.title} size="md">
        {isPending ? (
          <SkeletonGroup label="Loading plans..." className="grid gap-3">
            <Skeleton className="h-20 rounded-card" />
            <Skeleton className="h-20 rounded-card" />
          </SkeletonGroup>
        ) : !data ? (
          <ErrorState
            level={3}
            title="Plans could not be loaded"
            description={messageOf(error)}
            onRetry={() => void refetch()}
            pending={isFetching}
          />
        ) : (
          <div className="grid gap-5">
            <RadioCards legend="Change to" className="sm:grid-flow-row">
              {plans.map(({ id, name, price, features, details }) => (
                <RadioCard
                  key={id}
                  name="plan"
                  value={id}
                  checked={id === chosen}
                  onChange={() => choose(id)}
                  title={`${name}, ${moneyText(price)} per month`}
                  description={(details.length > 0 ? details : features).join(' · ')}
                />
              ))}
            </RadioCards>
            {plan && (
              <>
                <p className="text-muted text-sm">
                  {plan.name} starts when you approve it. {agreement.title} won’t be charged again, and stays active to the end of the paid
                  period.
                </p>
                {plan.notice && <p className="rounded-input bg-shine-soft px-4 py-3 text-[0.9375rem] text-shine-ink">{plan.notice}</p>}
                <PurchasePanel
                  order={{
                    planId: plan.id,
                    businessId: plan.audience === 'business' ? (agreement.business?.id ?? null) : null,
                    replaces: agreement.id,
                  }}
                  currency={plan.price.currency}
                  subject={plan.name}
                  isInDialog
                  onApproved={onClose}
                />
              </>
            )}
          </div>
        )}
      </DialogContent>
    </Dialog>
  )
}

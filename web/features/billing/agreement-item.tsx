import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Agreement } from '../../../contracts/billing.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { agreementWords, dayOf, moneyText, providerName } from './agreement-words.ts'
import { AssignPlan } from './assign-plan.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import { useResume } from './use-cancel.ts'

type AgreementItemProps = {
  agreement: Agreement
  /** Those that a plan without a business can be given to. */
  businesses: readonly { id: string; name: string }[]
}

/** One purchase: what it is, how it stands, and what can be done with it. */
export function AgreementItem({ agreement, businesses }: AgreementItemProps) {
  const { title, price, business, isSubscription, provider, createdAt, abilities } = agreement
  const { badge, tone, text } = agreementWords(agreement)
  const [open, setOpen] = useState<'cancel' | 'change' | null>(null)
  const close = () => setOpen(null)
  return (
    <Card asChild>
      <article>
        <CardBody>
          <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
            <div className="min-w-0">
              <h3 className="text-lg wrap-anywhere">{title}</h3>
              <p className="mt-1 text-muted text-sm">
                {providerName(provider)} · since {dayOf(createdAt)}
                {business && (
                  <>
                    {' · '}
                    <Link to="/business/$id" params={{ id: business.slug }} className={textLink}>
                      {isSubscription ? 'Its page' : business.name}
                    </Link>
                  </>
                )}
              </p>
            </div>
            <p className="flex items-baseline gap-1.5">
              <span className="font-display font-display text-xl tabular-nums">{moneyText(price)}</span>
              <span className="text-muted text-sm">per month</span>
            </p>
          </div>
          <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-[0.9375rem]">
            <Badge variant={tone}>{badge}</Badge>
            {text !== badge && <span>{text}</span>}
          </p>
          {agreement.mayStillCharge && (
            <p className="mt-3 rounded-input bg-clay-soft p-3 text-clay text-sm">
              We can’t reach the business’s PayPal account to end the payments. End them at PayPal too, under Settings, Payments, Automatic
              payments.
            </p>
          )}
          {provider === 'invoice' && (
            <p className="mt-2 text-muted text-xs">
              Reference for further payments: <code className="font-mono wrap-anywhere select-all">{agreement.id}</code>
            </p>
          )}
          {abilities.assign && <AssignPlan agreement={agreement} businesses={businesses} />}
          {agreement.movesOn && (
            <p className="mt-3 text-muted text-sm">You can move this plan to another business on {dayOf(agreement.movesOn)}.</p>
          )}
          {(abilities.change || abilities.cancel || abilities.resume) && (
            <div className="mt-4 flex flex-wrap gap-2 border-line border-t pt-4">
              {abilities.change && agreement.changesTo.length > 0 && (
                <Button variant="secondary" size="sm" onClick={() => setOpen('change')}>
                  <span>
                    Change plan<span className="sr-only"> of {title}</span>
                  </span>
                </Button>
              )}
              {abilities.resume && <ResumeButton agreement={agreement} />}
              {abilities.cancel && (
                <Button variant="quiet" size="sm" onClick={() => setOpen('cancel')}>
                  <span>
                    {isSubscription ? 'Unsubscribe' : 'Cancel at period end'}
                    <span className="sr-only"> for {title}</span>
                  </span>
                </Button>
              )}
            </div>
          )}
          {open === 'cancel' && <CancelDialog agreement={agreement} onClose={close} />}
          {open === 'change' && <ChangePlanDialog agreement={agreement} onClose={close} />}
        </CardBody>
      </article>
    </Card>
  )
}

function ResumeButton({ agreement }: Pick<AgreementItemProps, 'agreement'>) {
  const { mutate, isPending } = useResume(agreement)
  return (
    <Button variant="secondary" size="sm" onClick={() => mutate()} pending={isPending} pendingText="Resuming...">
      <span>
        Resume<span className="sr-only"> {agreement.title}</span>
      </span>
    </Button>
  )
}

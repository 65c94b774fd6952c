import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Agreement } from '#contracts/billing.ts'
import { assignAgreement } from '#contracts/calls/billing.ts'
import { cancelThereToo, chargesItself, paymentProviders } from '#contracts/payment-providers.ts'
import { agreementsOptions, type Payer, plansOptions, refreshBilling } from '#web/entities/billing/billing.api.ts'
import { agreementWords, dayOf, moneyText } from '#web/entities/billing/billing-words.ts'
import { CancelDialog, useResume } from '#web/entities/billing/cancel-dialog.tsx'
import { PurchasePanel } from '#web/entities/billing/purchase-panel.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { isSuspended } from '#web/lib/route-access.ts'
import { useNow } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { PagedList } from '#web/ui/paged-list.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

export function AgreementList({ scope }: { scope: Scope }) {
  const list = useInfiniteQuery(agreementsOptions(payerOf(scope)))
  return (
    <section aria-labelledby="agreements">
      <h2 id="agreements" className="text-xl">
        Plans and subscriptions
      </h2>
      <div className="mt-4">
        <PagedList
          list={list}
          loadingLabel="Loading plans..."
          skeleton={<Skeleton className="h-36 rounded-card" />}
          failure="Plans couldn’t be loaded"
          empty={<Nothing scope={scope} />}
          cards="each"
        >
          {(agreements) => (
            <ul className="grid gap-4">
              {agreements.map((agreement) => (
                <li key={agreement.id} className="min-w-0">
                  <AgreementItem agreement={agreement} businesses={scope.kind === 'own' ? scope.businesses : []} />
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </section>
  )
}

function Nothing({ scope }: { scope: Scope }) {
  return (
    <div className="rounded-card border border-line border-dashed px-5 py-8">
      <p className="font-medium">{scope.kind === 'own' ? 'No active plans' : 'Free Account'}</p>
      <p className="mt-1 max-w-text text-muted">
        {scope.kind === 'own' ? (
          <>
            Search, favorites, following and reviews are free. Subscribe to a business on{' '}
            <Link to="/discover" className={textLink}>
              its page
            </Link>
            .
          </>
        ) : (
          `${scope.business.label} doesn’t have a plan. Its page, reviews and directory listing are free.`
        )}
      </p>
    </div>
  )
}

type AgreementItemProps = {
  agreement: Agreement
  businesses: readonly { id: string; name: string; label: string }[]
}

function AgreementItem({ agreement, businesses }: AgreementItemProps) {
  const { title, price, business, isSubscription, provider, status, createdAt, abilities } = agreement
  const { badge, tone, text } = agreementWords(agreement)
  const user = useCurrentUser()
  const now = useNow()
  // For suspended people, the account status replaces the page, so don't link to it.
  const hasLink = user !== null && !isSuspended(user, now)
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
                {paymentProviders[provider].label} · since {dayOf(createdAt)}
                {business && hasLink && (
                  <>
                    {' · '}
                    <Link to="/business/$id" params={{ id: business.slug }} className={textLink}>
                      {isSubscription ? 'Its page' : (businesses.find(({ id }) => id === business.id)?.label ?? business.name)}
                    </Link>
                  </>
                )}
              </p>
            </div>
            <p className="flex items-baseline gap-1.5">
              <span className="font-display text-xl tabular-nums">{moneyText(price)}</span>
              <span className="text-muted text-sm">per month</span>
            </p>
          </div>
          <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-[0.9375rem]">
            <Badge variant={tone}>{badge}</Badge>
            {text !== badge && <span>{text}</span>}
          </p>
          {agreement.mayStillCharge && (status === 'canceled' || status === 'ended') && (
            <p className="mt-3 rounded-input bg-clay-soft p-3 text-clay text-sm">{cancelThereToo(provider)}</p>
          )}
          {!chargesItself(provider) && (
            <p className="mt-2 text-muted text-xs">
              Reference for further payments: <code className="font-mono wrap-anywhere select-all">{agreement.id}</code>
            </p>
          )}
          {abilities.assign && <AssignPlan agreement={agreement} businesses={businesses} />}
          {agreement.movesOn && (
            <p className="mt-3 text-muted text-sm">You can move this plan to another business starting {dayOf(agreement.movesOn)}.</p>
          )}
          {(abilities.change || abilities.cancel || abilities.resume) && (
            <div className="mt-4 flex flex-wrap gap-2 border-line border-t pt-4">
              {abilities.change && agreement.changesTo.length > 0 && (
                <Button variant="secondary" size="sm" onClick={() => setOpen('change')}>
                  <span>
                    Change plan<span className="sr-only"> for {title}</span>
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

type AssignPlanProps = {
  agreement: Pick<Agreement, 'id' | 'title' | 'business'>
  businesses: readonly { id: string; name: string; label: string }[]
}

/** For a plan that has no business yet, and for one that lifts a menu's limit, because that plan can also move to another business. */
function AssignPlan({ agreement, businesses: owned }: AssignPlanProps) {
  const client = useQueryClient()
  const { business } = agreement
  const businesses = owned.filter(({ id }) => id !== business?.id)
  const [chosen, choose] = useState<string>()
  const businessId = businesses.find(({ id }) => id === chosen)?.id ?? businesses[0]?.id ?? ''
  const { mutate, isPending } = useMutation({
    networkMode: 'always',
    mutationFn: () => call(assignAgreement, { params: { id: agreement.id }, body: { businessId } }),
    onSuccess: async ({ title }) => {
      toast({ title: 'Saved', description: title })
      await refreshBilling(client)
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
  })
  if (business && businesses.length === 0) return null
  return (
    <div className="mt-4 grid gap-3 rounded-input bg-sunk p-4">
      <p className="text-[0.9375rem]">
        {business
          ? `This plan is for ${owned.find(({ id }) => id === business.id)?.label ?? business.name}. You can move it now, and again after 30 days.`
          : 'Choose the business this plan is for.'}
      </p>
      {businesses.length === 0 ? (
        <p>
          <Link to="/business/register" className={textLink}>
            Register your business
          </Link>
        </p>
      ) : (
        <div className="flex flex-wrap gap-3">
          <Select
            aria-label="Business"
            value={businessId}
            onChange={(event) => choose(event.target.value)}
            className="min-w-52 flex-1 sm:max-w-80"
          >
            {businesses.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </Select>
          <Button variant="secondary" onClick={() => mutate()} pending={isPending} pendingText="Saving...">
            {business ? 'Move plan' : 'Choose business'}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Buys the new plan. The old one is canceled when the new one starts, and lasts until its paid period ends. */
function ChangePlanDialog({ agreement, onClose }: { agreement: Agreement; onClose: () => void }) {
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
          <LoadError level={3} title="Plans couldn’t be loaded" query={{ error, refetch, isFetching }} />
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
                  {plan.name} will start when you approve it. {agreement.title} {!agreement.mayStillCharge && 'won’t be charged again and '}
                  will be active until the end of the paid period. {agreement.mayStillCharge && cancelThereToo(agreement.provider)}
                </p>
                {plan.notice && <p className="rounded-input bg-shine-soft px-4 py-3 text-[0.9375rem] text-shine-ink">{plan.notice}</p>}
                <PurchasePanel
                  order={{
                    planId: plan.id,
                    businessId: plan.audience === 'business' ? (agreement.business?.id ?? null) : null,
                    replaces: agreement.id,
                    price: plan.price,
                  }}
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

type Named = { id: string; slug: string; name: string; label: string }

/** Whose billing a section shows. The person's plans can be assigned to their `businesses`. */
export type Scope = { kind: 'own'; businesses: readonly Named[] } | { kind: 'business'; business: Named }

export const payerOf = (scope: Scope): Payer => (scope.kind === 'business' ? { business: scope.business.id } : {})

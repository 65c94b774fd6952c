import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Resolver, useForm, useWatch } from 'react-hook-form'
import { type PublicOffer, SubscriptionOffer } from '#contracts/billing.ts'
import type { MyBusiness } from '#contracts/businesses.ts'
import { saveSubscriptionOffer } from '#contracts/calls/billing.ts'
import { parseCents } from '#contracts/money.rules.ts'
import * as z from '#contracts/zod.ts'
import { businessPlanStatusOptions, offerOptions } from '#web/entities/billing/billing.api.ts'
import { moneyText } from '#web/entities/billing/billing-words.ts'
import { TextareaField, TextField } from '#web/forms/fields.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { isSignedOut, showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

export function OfferCard({ business }: { business: MyBusiness }) {
  const offer = useQuery(offerOptions(business.id))
  const planStatus = useQuery(businessPlanStatusOptions(business.id))
  const error = offer.error ?? planStatus.error
  return (
    <Card asChild>
      <section aria-labelledby="offer">
        <CardBody>
          <h2 id="offer" className="text-lg">
            Your subscription
          </h2>
          {offer.data && business.role !== 'owner' ? (
            <OfferAsItIs offer={offer.data} />
          ) : offer.data && planStatus.data ? (
            <OfferForm business={business} offer={offer.data} mayPrice={planStatus.data.entitlements.includes('own_prices')} />
          ) : error ? (
            <ErrorState
              level={3}
              title="The offer couldn’t be loaded"
              description={messageOf(error)}
              onRetry={() => void Promise.all([offer.refetch(), planStatus.refetch()])}
              pending={offer.isFetching || planStatus.isFetching}
            />
          ) : (
            <SkeletonGroup label="Loading the offer..." className="mt-4 grid gap-4">
              <Skeleton className="h-16" />
              <Skeleton className="h-16" />
              <Skeleton className="h-28" />
            </SkeletonGroup>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

function OfferAsItIs({ offer: { price, currency, title, perks } }: { offer: SubscriptionOffer }) {
  return (
    <div className="mt-3 grid gap-3">
      <p className="font-medium">{title}</p>
      <p className="flex items-baseline gap-2">
        <span className="font-display text-2xl tabular-nums">{price ? moneyText({ amount: price, currency }) : 'Free'}</span>
        {price && <span className="text-muted text-sm">per month</span>}
      </p>
      {perks.length > 0 && (
        <ul className="grid list-disc gap-1.5 pl-5 text-[0.9375rem]">
          {perks.map((perk) => (
            <li key={perk} className="wrap-anywhere">
              {perk}
            </li>
          ))}
        </ul>
      )}
      <p className="text-muted text-sm">The owner sets the price and benefits.</p>
    </div>
  )
}

type OfferFormProps = { business: MyBusiness; offer: PublicOffer; mayPrice: boolean }

function OfferForm({ business, offer, mayPrice }: OfferFormProps) {
  const client = useQueryClient()
  const subject = `offer.${business.id}`
  const [defaultValues] = useState(() => withDraft(subject, valuesOf(offer)))
  const form = useForm<OfferValues, unknown, SubscriptionOffer>({ defaultValues, resolver: offerResolver, mode: 'onTouched' })
  const dropDraft = useDraft(form, subject)
  const { control, formState } = form
  const price = useWatch({ control, name: 'price' })
  const cannotCharge = offer.providers.length === 0

  const submit = form.handleSubmit(async (body) => {
    try {
      const saved = await call(saveSubscriptionOffer, { params: { id: business.id }, body })
      client.setQueryData(offerOptions(business.id).queryKey, saved)
      dropDraft({ staysOpen: true })
      form.reset(valuesOf(saved))
      toast({ title: 'Saved', description: saved.price ? 'New subscribers will pay this price.' : 'Subscribing is free.' })
    } catch (error) {
      console.error(error)
      const rest = showServerErrors(form, error, offerFields)
      if (rest) toast({ title: 'Error', description: rest, variant: 'destructive' })
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={submit} aria-label="Your subscription" className="mt-3 grid gap-4">
      {!mayPrice && <WhyNoPrice business={business} hasPrice={offer.price !== null} />}
      {mayPrice && cannotCharge && (
        <p className="rounded-input bg-sunk p-4 text-[0.9375rem]">
          {offer.price === null
            ? 'Before you set a price, choose under “How you get paid” where the money goes.'
            : 'No one new can subscribe at your price. See “How you get paid”.'}
        </p>
      )}
      <TextField
        control={control}
        name="price"
        label="Price per month"
        optional
        inputMode="decimal"
        maxLength={10}
        placeholder="15.00"
        autoComplete="off"
        start={<span>$</span>}
        disabled={!mayPrice && offer.price === null}
        hint={
          price.trim() === '' ? 'Leave empty to make subscribing free.' : 'You keep 100% of it. Current subscribers’ prices won’t change.'
        }
      />
      <TextField control={control} name="title" label="Title" maxLength={80} hint="Shown above the price." />
      <TextareaField
        control={control}
        name="perks"
        label="Benefits"
        optional
        rows={4}
        placeholder={'Subscriber-only posts\nNotifications of new menu items a day early'}
        hint="One per line, up to 8."
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Link to="/business/$id" params={{ id: business.slug }} className="text-muted text-sm underline underline-offset-3">
          See it on your page
        </Link>
        <Button type="submit" pending={formState.isSubmitting} pendingText="Saving...">
          Save
        </Button>
      </div>
    </form>
  )
}

function WhyNoPrice({ business, hasPrice }: { business: MyBusiness; hasPrice: boolean }) {
  return (
    <div className="grid justify-items-start gap-3 rounded-input bg-sunk p-4 text-[0.9375rem]">
      <p>
        {hasPrice
          ? 'Setting your own price requires Business Tools, and your plan has ended. Current subscribers’ prices won’t change. No one new can subscribe at your price.'
          : 'Setting your own price requires Business Tools. Until then, people subscribe for free.'}
      </p>
      <Button asChild size="sm">
        <Link to="/business/$id" params={{ id: business.slug }} search={{ tab: 'tools' }} hash="more">
          Upgrade to Business Tools
        </Link>
      </Button>
    </div>
  )
}

/** Subscribing is free if the price is empty. Each line of `perks` is a perk. */
export type OfferValues = { price: string; currency: SubscriptionOffer['currency']; title: string; perks: string }

const offerFields = ['price', 'title', 'perks'] as const satisfies (keyof OfferValues)[]

export const valuesOf = ({ price, currency, title, perks }: SubscriptionOffer): OfferValues => ({
  price: price ?? '',
  currency,
  title,
  perks: perks.join('\n'),
})

export const offerOf = ({ price, currency, title, perks }: OfferValues): SubscriptionOffer => ({
  price: price.trim() === '' ? null : price.trim().replace(/^\$/, ''),
  currency,
  title: title.trim(),
  perks: perks
    .split('\n')
    .map((perk) => perk.trim())
    .filter((perk) => perk !== ''),
})

/** An error in any perk is shown for the whole list. */
function errorsOf(offer: ReturnType<typeof offerOf>): Partial<Record<(typeof offerFields)[number], string>> {
  const { error } = z.safeParse(SubscriptionOffer, offer)
  const errors: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) errors[String(path[0])] ??= message
  if (offer.title === '') errors.title = 'Title is required'
  if (offer.price !== null && !errors.price && parseCents(offer.price) === 0) {
    errors.price = 'Leave it empty to let people subscribe for free'
  }
  return errors
}

export const offerResolver: Resolver<OfferValues, unknown, SubscriptionOffer> = (values) => {
  const offer = offerOf(values)
  const errors = Object.entries(errorsOf(offer)).map(([field, message]) => [field, { type: 'custom', message }])
  return errors.length === 0 ? { values: offer, errors: {} } : { values: {}, errors: Object.fromEntries(errors) }
}

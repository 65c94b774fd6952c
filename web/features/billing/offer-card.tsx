import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { type PublicOffer, type SubscriptionOffer, saveSubscriptionOffer } from '../../../contracts/billing.ts'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { TextareaField, TextField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { isSignedOut, showServerErrors } from '../accounts/server-errors.ts'
import { moneyText } from './agreement-words.ts'
import { businessStandingOptions, offerOptions } from './billing.api.ts'
import { type OfferValues, offerFields, offerResolver, valuesOf } from './offer-schema.ts'

/** What subscribing costs and brings, and changing it. */
export function OfferCard({ business }: { business: MyBusiness }) {
  const offer = useQuery(offerOptions(business.id))
  const standing = useQuery(businessStandingOptions(business.id))
  const error = offer.error ?? standing.error
  return (
    <Card asChild>
      <section aria-labelledby="offer">
        <CardBody>
          <h2 id="offer" className="text-lg">
            Your subscription
          </h2>
          {offer.data && business.role !== 'owner' ? (
            <OfferAsItIs offer={offer.data} />
          ) : offer.data && standing.data ? (
            <OfferForm business={business} offer={offer.data} mayPrice={standing.data.entitlements.includes('own_prices')} />
          ) : error ? (
            <ErrorState
              level={3}
              title="The offer could not be loaded"
              description={messageOf(error)}
              onRetry={() => void Promise.all([offer.refetch(), standing.refetch()])}
              pending={offer.isFetching || standing.isFetching}
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

/** For managers: the price is the owner's to set. */
function OfferAsItIs({ offer: { price, currency, title, perks } }: { offer: SubscriptionOffer }) {
  return (
    <div className="mt-3 grid gap-3">
      <p className="font-medium">{title}</p>
      <p className="flex items-baseline gap-2">
        <span className="font-display font-display text-2xl tabular-nums">{price ? moneyText({ amount: price, currency }) : 'Free'}</span>
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
      <p className="text-muted text-sm">Its owner sets the price and what it brings.</p>
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
      dropDraft()
      form.reset(valuesOf(saved))
      toast({ title: 'Saved', description: saved.price ? 'New subscribers pay this price.' : 'Subscribing is free.' })
    } catch (error) {
      console.error(error)
      if (!showServerErrors(form, error, offerFields)) toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })

  return (
    <form noValidate onSubmit={submit} aria-label="Your subscription" className="mt-3 grid gap-4">
      {!mayPrice && <WhyNoPrice business={business} hasPrice={offer.price !== null} />}
      {mayPrice && cannotCharge && (
        <p className="rounded-input bg-sunk p-4 text-[0.9375rem]">
          {offer.price === null
            ? 'Before you set a price, say under “How you are paid” where the money goes.'
            : 'Nobody new can subscribe at your price: see “How you are paid”.'}
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
        hint={price.trim() === '' ? 'Leave empty to make subscribing free.' : 'You keep 100% of it. Current subscribers keep their price.'}
      />
      <TextField control={control} name="title" label="Title" maxLength={80} hint="Shown above the price." />
      <TextareaField
        control={control}
        name="perks"
        label="Benefits"
        optional
        rows={4}
        placeholder={'Posts for subscribers alone\nNew products a day early'}
        hint="One line each, at most 8."
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
          ? 'Your own prices come with Business Tools, which has ended. Current subscribers keep their price. No one new can subscribe at it.'
          : 'A price of your own comes with Business Tools. Until then people subscribe for free.'}
      </p>
      <Button asChild size="sm">
        <Link to="/business/$id" params={{ id: business.slug }} search={{ tab: 'tools' }} hash="more">
          Upgrade to Business Tools
        </Link>
      </Button>
    </div>
  )
}

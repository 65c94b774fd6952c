import type { Resolver } from 'react-hook-form'
import { SubscriptionOffer } from '#contracts/billing.ts'
import { parseCents } from '#contracts/money.rules.ts'
import * as z from '#contracts/zod.ts'

/** Form values: an empty price means none, and each line is a perk. */
export type OfferValues = { price: string; currency: SubscriptionOffer['currency']; title: string; perks: string }

export const offerFields = ['price', 'title', 'perks'] as const satisfies (keyof OfferValues)[]

export const valuesOf = ({ price, currency, title, perks }: SubscriptionOffer): OfferValues => ({
  price: price ?? '',
  currency,
  title,
  perks: perks.join('\n'),
})

/** Request body: no price if the field is empty, and no empty lines. */
export const offerOf = ({ price, currency, title, perks }: OfferValues): SubscriptionOffer => ({
  price: price.trim() === '' ? null : price.trim().replace(/^\$/, ''),
  currency,
  title: title.trim(),
  perks: perks
    .split('\n')
    .map((perk) => perk.trim())
    .filter((perk) => perk !== ''),
})

/** Errors by field; the error of any perk is shown for the whole list. */
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

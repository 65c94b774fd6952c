import { type Jurisdiction, maySeeProducts, productAgeOf } from '#server/features/jurisdictions/index.ts'
import { type Actor, ageOf } from '#server/kernel/actor.ts'
import { AppError } from '#server/kernel/errors.ts'

/** Age check before showing any product. @throws AppError age_restricted for viewers below the age or of unknown age */
export function requireMenuAge(actor: Actor | null, business: Jurisdiction, now: Date): void {
  if (maySeeProducts(ageOf(actor, now), business)) return
  const { minimumAge } = productAgeOf(business)
  const advice = actor ? '' : ' Sign in to confirm your age.'
  throw new AppError('age_restricted', {
    message: `You must be ${minimumAge} or older to see the products of this business; its profile is open to everyone.${advice}`,
  })
}

import { type Actor, ageOf } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Jurisdiction, maySeeProducts, productAgeOf } from '../jurisdictions/index.ts'

/** The gate before everything that shows a product. @throws AppError age_restricted for viewers below the age or of unknown age */
export function requireMenuAge(actor: Actor | null, business: Jurisdiction, now: Date): void {
  if (maySeeProducts(ageOf(actor, now), business)) return
  const { minimumAge } = productAgeOf(business)
  const advice = actor ? '' : ' Sign in to confirm your age.'
  throw new AppError('age_restricted', {
    message: `The products of this business are shown to people of ${minimumAge} or over; its profile is open to everybody.${advice}`,
  })
}

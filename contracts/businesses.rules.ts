import type { Business, Precision } from './businesses.ts'

/**
 * Whether the team may change the name: only before the first review, subscriber or license, so a business can't take over another's
 * reviews. After that, only an admin can change it, to correct a typo.
 */
export const isNameOpen = (business: {
  totalRatings: number
  subscriberCount: number
  licenses: readonly unknown[]
  verification: { status: string }
}): boolean =>
  business.totalRatings === 0 && business.subscriberCount === 0 && business.licenses.length === 0 && business.verification.status === 'none'

/** A business's location in text that leaves the app. A farm's is only its city and state, no matter what its owner entered. */
export const publicLocation = ({ type, location, city, state }: Pick<Business, 'type' | 'location' | 'city' | 'state'>): string | null =>
  type === 'farm' ? [city, state].filter(Boolean).join(', ') || null : location

/** Exact, by definition. */
export const kilometersPerMile = 1.609344

type FigureFormats = { tenths: (value: number) => string; whole: (value: number) => string }

/**
 * A distance in miles or kilometers, without the unit: "1.4" or "12" if the pin is a building's, otherwise "about 3". Every page and the
 * guide use this wording.
 */
export function distanceFigure(distance: number, precision: Precision | null, { tenths, whole }: FigureFormats): string {
  if (precision === 'premise' && distance < 10) return distance < 0.1 ? 'under 0.1' : tenths(distance)
  const rounded = whole(Math.max(1, Math.round(distance)))
  return precision === 'premise' ? rounded : `about ${rounded}`
}

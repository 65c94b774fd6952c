import type { BusinessSummary } from '../../../contracts/businesses.ts'

/** "1.4 mi", "12 mi". Where a place is only known by its city or ZIP code, no tenth of a mile is claimed: "about 3 mi". Null outside lists around a place. */
export function distanceText({ distanceMiles, pin }: Pick<BusinessSummary, 'distanceMiles' | 'pin'>): string | null {
  if (distanceMiles === null) return null
  if (pin?.precision === 'premise' && distanceMiles < 10) return distanceMiles < 0.1 ? 'under 0.1 mi' : `${distanceMiles.toFixed(1)} mi`
  const miles = `${Math.max(1, Math.round(distanceMiles)).toLocaleString('en-US')} mi`
  return pin?.precision === 'premise' ? miles : `about ${miles}`
}

import type { BusinessType } from '../../../contracts/business-types.ts'
import type { Business } from '../../../contracts/businesses.ts'
import type { Db } from '../../db/connect.ts'

type Thing = { '@type': string; [property: string]: unknown }

const kinds: Partial<Record<BusinessType, string>> = { dispensary: 'Store', smoke_shop: 'Store', glass_shop: 'Store' }

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/**
 * A public business page in the words of schema.org, for search engines: what the page itself shows everybody, and no product, which
 * is shown to people of an age alone. Null for demo content, which is not to be found.
 */
export async function businessData(db: Db, business: Business, publicUrl: string, today: string): Promise<Thing | null> {
  if (business.isDemo) return null
  const { weekly, special } = await openingHours(db, business.id, today)
  const { pin } = business
  // A farm is placed by its city here as everywhere, whatever its row holds.
  const street = business.type === 'farm' ? null : business.address
  return withoutEmpty({
    '@context': 'https://schema.org',
    '@type': kinds[business.type] ?? 'LocalBusiness',
    '@id': `${publicUrl}/business/${business.slug}`,
    name: business.name,
    url: `${publicUrl}/business/${business.slug}`,
    description: business.description,
    image: publicUrl + (business.imageUrl ?? `/business/${business.slug}/preview.png`),
    telephone: business.phone,
    sameAs: business.website,
    address: withoutEmpty({
      '@type': 'PostalAddress',
      streetAddress: street,
      addressLocality: business.city,
      addressRegion: business.state,
      postalCode: business.type === 'farm' ? null : business.zip,
    }),
    geo: pin && { '@type': 'GeoCoordinates', latitude: pin.latitude, longitude: pin.longitude },
    openingHoursSpecification: weekly.length > 0 ? weekly : null,
    specialOpeningHoursSpecification: special.length > 0 ? special : null,
    aggregateRating:
      business.totalRatings > 0
        ? {
            '@type': 'AggregateRating',
            ratingValue: business.averageRating,
            reviewCount: business.totalRatings,
            bestRating: 5,
            worstRating: 1,
          }
        : null,
  })
}

const withoutEmpty = (thing: Thing): Thing =>
  Object.fromEntries(Object.entries(thing).filter(([, value]) => value !== null && value !== '')) as Thing

/** Of the main location, which has the id of its business. */
async function openingHours(db: Db, businessId: string, today: string): Promise<{ weekly: Thing[]; special: Thing[] }> {
  const hours = await db
    .selectFrom('location_hours')
    .select(['weekday', 'opens', 'closes'])
    .where('location_id', '=', businessId)
    .orderBy('weekday')
    .orderBy('opens')
    .execute()
  if (hours.length === 0) return { weekly: [], special: [] }
  const days = await db
    .selectFrom('location_special_days')
    .select(['day', 'opens', 'closes'])
    .where('location_id', '=', businessId)
    .where('day', '>=', today)
    .orderBy('day')
    .limit(30)
    .execute()
  const specification = { '@type': 'OpeningHoursSpecification' }
  return {
    weekly: hours.map(({ weekday, opens, closes }) => ({
      ...specification,
      dayOfWeek: `https://schema.org/${weekdays[weekday]}`,
      opens: clock(opens),
      closes: clock(closes),
    })),
    special: days.flatMap(({ day, opens, closes }) => {
      const dated = { ...specification, validFrom: day, validThrough: day }
      // Closed all day, as search engines want it said.
      if (opens.length === 0) return [{ ...dated, opens: '00:00', closes: '00:00' }]
      return opens.map((from, i) => ({ ...dated, opens: clock(from), closes: clock(closes[i] as number) }))
    }),
  }
}

/** 1440, the end of the day, has no other name there. */
const clock = (minute: number): string => {
  const of = Math.min(minute, 1439)
  return `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`
}

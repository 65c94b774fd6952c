import { amenityLabels } from '#contracts/amenities.ts'
import type { BusinessType } from '#contracts/business-types.ts'
import type { Business, BusinessSummary } from '#contracts/businesses.ts'
import type { PageExtras } from '#contracts/page-extras.ts'
import type { MenuContent } from '#contracts/visitor-pages.ts'
import type { Db } from '#server/db/connect.ts'
import { localTime } from '#server/kernel/time-zones.ts'

type Thing = { '@type': string; [property: string]: unknown }

const kinds: Partial<Record<BusinessType, string>> = { dispensary: 'Store', smoke_shop: 'Store', glass_shop: 'Store' }

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/**
 * A business page as schema.org data for search engines. Contains what the page shows everyone, but no products, because they have an age
 * limit. Null for demo content, which must not be indexed.
 */
export async function businessData(
  db: Db,
  business: Business,
  socialLinks: PageExtras['socialLinks'],
  { publicUrl, now }: { publicUrl: string; now: Date },
): Promise<Thing | null> {
  if (business.isDemo) return null
  const today = localTime(business.timeZone ?? 'UTC', now).date
  // Hours would suggest that a closed business is open.
  const { weekly, special } = business.closure ? { weekly: [], special: [] } : await openingHours(db, business.id, today)
  const { pin } = business
  return withoutEmpty({
    '@context': 'https://schema.org',
    ...listedData(business, publicUrl, business),
    description: business.description,
    sameAs: [business.website, ...socialLinks.map(({ url }) => url)].filter(Boolean),
    amenityFeature: business.amenities.map((each) => ({
      '@type': 'LocationFeatureSpecification',
      name: amenityLabels[each],
      value: true,
    })),
    geo: pin && { '@type': 'GeoCoordinates', latitude: pin.latitude, longitude: pin.longitude },
    openingHoursSpecification: weekly.length > 0 ? weekly : null,
    specialOpeningHoursSpecification: special.length > 0 ? special : null,
  })
}

type PlaceParts = Partial<Pick<Business, 'city' | 'state' | 'zip'>>

/** A business in a list, without its hours. Doesn't exclude demo content. */
export const listedData = (business: BusinessSummary, publicUrl: string, { city, state, zip = null }: PlaceParts): Thing =>
  withoutEmpty({
    '@type': kinds[business.type] ?? 'LocalBusiness',
    '@id': `${publicUrl}/business/${business.slug}`,
    name: business.name,
    url: `${publicUrl}/menu/${business.slug}`,
    // Search engines may not fetch uploaded pictures: see robots.txt.
    image: `${publicUrl}/business/${business.slug}/preview.png`,
    telephone: business.phone,
    sameAs: business.website,
    address: withoutEmpty({
      '@type': 'PostalAddress',
      // Farms never show a street address, whatever the row contains.
      streetAddress: business.type === 'farm' ? null : business.address,
      addressLocality: city,
      addressRegion: state,
      postalCode: business.type === 'farm' ? null : zip,
    }),
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

/** A menu's categories for search engines, without products. Gives only the menu's address if the viewer can't see the menu. */
export const menuData = (menu: MenuContent['menu'], address: string): Thing =>
  withoutEmpty({
    '@type': 'OfferCatalog',
    name: 'Menu',
    url: address,
    numberOfItems: menu?.itemCount ?? null,
    itemListElement:
      menu?.categories.map(({ category, itemCount }) => ({ '@type': 'OfferCatalog', name: category, numberOfItems: itemCount })) ?? null,
  })

const withoutEmpty = (thing: Thing): Thing =>
  Object.fromEntries(
    Object.entries(thing).filter(([, value]) => !(value === null || value === '' || (Array.isArray(value) && value.length === 0))),
  ) as Thing

/** Hours of the main location, which shares the ID of its business. */
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
      closes: clockAtEnd(closes),
    })),
    special: days.flatMap(({ day, opens, closes }) => {
      const dated = { ...specification, validFrom: day, validThrough: day }
      // Search engines expect this for a closed day.
      if (opens.length === 0) return [{ ...dated, opens: '00:00', closes: '00:00' }]
      return opens.map((from, i) => ({ ...dated, opens: clock(from), closes: clockAtEnd(closes[i] as number) }))
    }),
  }
}

/** Search engines read a closing time of 00:00 as closed all day. */
const clockAtEnd = (minute: number): string => clock(minute || 1440)

/** The end of the day is given as 23:59 instead of 24:00, as search engines expect. */
const clock = (minute: number): string => {
  const of = Math.min(minute, 1439)
  return `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`
}

import * as z from 'zod/mini'
import { Birthday } from './accounts.ts'
import { BusinessTypeSchema } from './business-type-schema.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams } from './ids.ts'
import { numeric, page } from './pagination.ts'
import { businessPlaceName } from './place-name.ts'
import { line, WebAddressOrEmpty, withoutNul } from './text.ts'

/** Precision of a coordinate. A farm's pin is never more precise than its city. */
export const Precision = z.enum(['premise', 'zip', 'city'])
export type Precision = z.infer<typeof Precision>

/**
 * What the license register says of a listing.
 * - `listed`: in the register without an adverse status, or verified here from its document
 * - `inactive`: in the register as inactive, suspended, void or not operating; or once verified from its document but no longer
 * - `missing`: it was in an older register file but isn't in a newer one
 * - `none`: no register license is linked
 */
export const LicenseStanding = z.enum(['listed', 'inactive', 'missing', 'none'])
export type LicenseStanding = z.infer<typeof LicenseStanding>

export const License = z.object({
  id: Id,
  licenseNumber: z.nullable(z.string()),
  licenseType: z.nullable(z.string()),
  /** In the authority's words; empty in some states' files. */
  status: z.nullable(z.string()),
  designation: z.nullable(z.string()),
  standing: LicenseStanding,
  state: z.string(),
  authority: z.nullable(z.string()),
  source: z.string(),
  /** The day the source read the register. */
  sourceDate: z.nullable(z.string()),
})
export type License = z.infer<typeof License>

/** `unproven`: verified only by a register match, before proof of control was required. */
export const LicenseVerificationStatus = z.enum([
  'pending',
  'verified',
  'rejected',
  'withdrawn',
  'superseded',
  'expired',
  'revoked',
  'unproven',
])

/**
 * What proved that the business controls the license.
 * - `code`: a code sent to the contact listed in the register
 * - `document`: the license itself, reviewed by two moderators
 * - `register`: only a register match, which used to suffice; no longer occurs for verified licenses
 */
export const VerificationBasis = z.enum(['register', 'code', 'document'])
export type VerificationBasis = z.infer<typeof VerificationBasis>

/** Public facts about a license verified here. `none` and nulls if there is none. */
export const PublicVerification = z.object({
  status: z.enum(['none', 'verified', 'expired', 'revoked']),
  licenseNumber: z.nullable(z.string()),
  /** The license's state. */
  state: z.nullable(z.string()),
  authority: z.nullable(z.string()),
  source: z.nullable(z.string()),
  /** The day the source read the register. */
  sourceDate: z.nullable(z.string()),
  /** When it was last checked against the register, or decided. */
  checkedAt: z.nullable(z.iso.datetime()),
  expiresOn: z.nullable(z.string()),
  /** The source of the expiration date. */
  expirySource: z.nullable(z.enum(['register', 'business'])),
  basis: z.nullable(VerificationBasis),
  reason: z.nullable(z.string()),
})
export type PublicVerification = z.infer<typeof PublicVerification>

export const BusinessSummary = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  type: BusinessTypeSchema,
  description: z.nullable(z.string()),
  /** City and state: "Denver, CO". */
  location: z.nullable(z.string()),
  address: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  website: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  averageRating: z.number(),
  totalRatings: z.int(),
  subscriberCount: z.int(),
  isClaimed: z.boolean(),
  /** Fictional demo content. */
  isDemo: z.boolean(),
  licenseStanding: LicenseStanding,
  /** The license was verified and hasn't expired. */
  isLicenseVerified: z.boolean(),
  /** The gold badge: requires a verified license and the entitlement. Payment alone isn't enough. */
  hasVerifiedBadge: z.boolean(),
  pin: z.nullable(z.object({ latitude: z.number(), longitude: z.number(), precision: Precision })),
  /** Only in lists around a place. Locations known only by city or ZIP code count as at least 3 miles or 1 mile away. */
  distanceMiles: z.nullable(z.number()),
  createdAt: z.iso.datetime(),
})
export type BusinessSummary = z.infer<typeof BusinessSummary>

export const Business = z.extend(BusinessSummary, {
  city: z.nullable(z.string()),
  state: z.nullable(z.string()),
  zip: z.nullable(z.string()),
  licenses: z.array(License),
  verification: PublicVerification,
  /** Minimum age for this business's products and promotions, and the rule behind it. */
  productAge: z.object({ minimumAge: z.int(), rule: z.string(), source: z.string() }),
})
export type Business = z.infer<typeof Business>

/**
 * Whether the team may still change the name: it has no reviews, no subscribers and no license. Otherwise a business could take over
 * another's reviews, so only admins can correct a typo.
 */
export const isNameOpen = (business: {
  totalRatings: number
  subscriberCount: number
  licenses: readonly unknown[]
  verification: { status: string }
}): boolean =>
  business.totalRatings === 0 && business.subscriberCount === 0 && business.licenses.length === 0 && business.verification.status === 'none'

export const businessSorts = ['highest_rated', 'distance', 'name', 'newest'] as const
export type BusinessSort = (typeof businessSorts)[number]

const latitude = z.number().check(z.minimum(-90), z.maximum(90))
const longitude = z.number().check(z.minimum(-180), z.maximum(180))

/** `west,south,east,north` in degrees. */
export const BoundingBox = z.pipe(
  z.transform((value: unknown) => (typeof value === 'string' ? value.split(',').map(Number) : value)),
  z.tuple([longitude, latitude, longitude, latitude], 'Must be west,south,east,north in degrees'),
)

const filters = {
  /** Case-insensitive match on name, description or location. A place name ("Denver", "80202") also matches what is near it. */
  q: z.optional(z.string().check(z.trim(), z.maxLength(120), withoutNul)),
  type: z.optional(BusinessTypeSchema),
  /** A place: "Denver, CO", a ZIP code, or `latitude,longitude`. */
  near: z.optional(z.string().check(z.trim(), z.maxLength(120), withoutNul)),
  /** Miles around `near`; 25 by default. */
  radius: z.optional(numeric(z.number().check(z.minimum(1), z.maximum(500)))),
  bbox: z.optional(BoundingBox),
  /** Two-letter code. */
  state: z.optional(z.string().check(z.toUpperCase(), z.regex(/^[A-Z]{2}$/, 'Must be a two-letter state code'))),
  /** `true`: only businesses with a license in good standing in the register. */
  verified: z.optional(
    z.pipe(
      z.transform((v: unknown) => (v === 'true' ? true : v === 'false' ? false : v)),
      z.boolean(),
    ),
  ),
}

export const listBusinesses = endpoint({
  method: 'GET',
  path: '/api/businesses',
  summary: 'Find businesses by text, type, place, area, state and license',
  tag: 'Businesses',
  access: 'public',
  paginated: true,
  query: z.object({ ...page, ...filters, sort: z._default(z.enum(businessSorts), 'highest_rated') }),
  response: z.array(BusinessSummary),
})

/** With more matches in an area, the response contains counted cells instead of pins. */
export const maxPins = 5000

export const mapBusinesses = endpoint({
  method: 'GET',
  path: '/api/businesses/map',
  summary: 'Search for a map: pins, or counted cells if there are too many',
  tag: 'Businesses',
  access: 'public',
  query: z.object({ ...filters, zoom: z._default(numeric(z.number().check(z.minimum(0), z.maximum(24))), 4) }),
  response: z.object({
    /** All matches, inside and outside of the box. */
    total: z.int(),
    /** The center of the search, if it names a place. */
    place: z.nullable(z.object({ label: z.string(), latitude: z.number(), longitude: z.number(), radiusMiles: z.nullable(z.number()) })),
    pins: z.array(
      z.object({
        id: z.string(),
        slug: z.nullable(z.string()),
        name: z.nullable(z.string()),
        type: z.nullable(BusinessTypeSchema),
        latitude: z.number(),
        longitude: z.number(),
        precision: z.nullable(Precision),
        /** 1 for a business, more for a cell. */
        count: z.int(),
      }),
    ),
  }),
})

export const getBusiness = endpoint({
  method: 'GET',
  path: '/api/businesses/:id',
  summary: 'Read a business by id or slug',
  tag: 'Businesses',
  access: 'public',
  params: IdOrSlugParams,
  response: Business,
})

export const getBusinessStatus = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/status',
  summary: 'Read your relation to a business',
  tag: 'Businesses',
  access: 'member',
  params: IdOrSlugParams,
  response: z.object({
    isSubscribed: z.boolean(),
    isFavorited: z.boolean(),
    /** Implied by subscribing; `isSubscribed` is independent of it. */
    isFollowing: z.boolean(),
    isBlocked: z.boolean(),
    /** The viewer's role in the team; null if they aren't on it. */
    role: z.nullable(z.enum(['owner', 'manager', 'staff'])),
  }),
})

export const MyBusiness = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  type: BusinessTypeSchema,
  imageUrl: z.nullable(z.string()),
  role: z.enum(['owner', 'manager', 'staff']),
  /** Required to publish promotions or products. */
  isLicenseVerified: z.boolean(),
})
export type MyBusiness = z.infer<typeof MyBusiness>

export const listMyBusinesses = endpoint({
  method: 'GET',
  path: '/api/businesses/mine',
  summary: 'List the businesses you help run, by name; you can post and comment as them',
  tag: 'Businesses',
  access: 'member',
  response: z.array(MyBusiness),
})

export const BusinessName = line(120, 'Business name is required')

export const NewBusiness = z.object({
  businessType: z._default(BusinessTypeSchema, 'farm'),
  businessName: BusinessName,
  description: z._default(line(2000), ''),
  location: businessPlaceName(),
  address: z._default(line(200), ''),
  phone: z._default(line(40), ''),
  website: z._default(WebAddressOrEmpty, ''),
  imageUrl: z._default(WebAddressOrEmpty, ''),
  licenseNumber: z.optional(z.nullable(line(80))),
  /** Required once for accounts created without one (OpenID). */
  birthday: z.optional(Birthday),
})
export type NewBusiness = z.infer<typeof NewBusiness>

export const createBusiness = endpoint({
  method: 'POST',
  path: '/api/businesses',
  summary: 'Create a business and own it; completes onboarding. Returns 409 with a link to the claim if the license number has a listing.',
  tag: 'Businesses',
  access: 'account',
  words: 'published',
  // It is listed in the directory immediately.
  whileSuspended: false,
  idempotent: true,
  body: NewBusiness,
  response: Business,
  status: 201,
})

/** Asked on the plans page after a purchase. The location can be added later in the dashboard. */
export const BusinessSetup = z.object({
  businessType: z._default(z.enum(['farm', 'dispensary']), 'farm'),
  businessName: BusinessName,
  location: z._default(z.union([z.literal(''), businessPlaceName()]), ''),
  description: NewBusiness.shape.description,
})
export type BusinessSetup = z.infer<typeof BusinessSetup>

export const setUpBusiness = endpoint({
  method: 'POST',
  path: '/api/businesses/setups',
  summary: 'Create a business with a name and a type; its location can follow',
  tag: 'Businesses',
  access: 'member',
  words: 'published',
  whileSuspended: false,
  idempotent: true,
  body: BusinessSetup,
  response: Business,
  status: 201,
})

/** Editable fields of a business. Omitted fields stay; an empty string clears a field. The type is permanent. */
export const BusinessEdits = z.object({
  /** Can change only while `isNameOpen`. */
  name: z.optional(BusinessName),
  description: z.optional(line(2000)),
  location: z.optional(businessPlaceName()),
  address: z.optional(line(200)),
  phone: z.optional(line(40)),
  website: z.optional(WebAddressOrEmpty),
  /** A picture from another site, downloaded once; an empty string removes the picture. */
  imageUrl: z.optional(WebAddressOrEmpty),
  /** One of the person's uploads. */
  imageId: z.optional(Id),
})
export type BusinessEdits = z.infer<typeof BusinessEdits>

export const editBusiness = endpoint({
  method: 'PATCH',
  path: '/api/businesses/:id',
  summary: "Change a business's page; only for its owner and managers",
  tag: 'Businesses',
  access: 'member',
  words: 'mixed',
  params: IdOrSlugParams,
  body: BusinessEdits,
  response: Business,
})

import * as z from 'zod/mini'
import { Birthday } from './accounts.ts'
import { BusinessTypeSchema } from './business-type-schema.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams } from './ids.ts'
import { numeric, page } from './pagination.ts'
import { businessPlaceName } from './place-name.ts'
import { line, WebAddressOrEmpty, withoutNul } from './text.ts'

/** How exactly a coordinate is known. A farm's pin is never finer than its city. */
export const Precision = z.enum(['premise', 'zip', 'city'])
export type Precision = z.infer<typeof Precision>

/**
 * What the license register says of a listing.
 * - `listed`: in the register, and no status there speaks against it; or verified here by its document
 * - `inactive`: in the register as inactive, suspended, void or not operating; or verified by its document once, and no longer
 * - `missing`: it was in an older register file and is gone from a newer one
 * - `none`: no license of the register is linked
 */
export const LicenseStanding = z.enum(['listed', 'inactive', 'missing', 'none'])
export type LicenseStanding = z.infer<typeof LicenseStanding>

export const License = z.object({
  id: Id,
  licenseNumber: z.nullable(z.string()),
  licenseType: z.nullable(z.string()),
  /** As the authority words it; empty in some states' files. */
  status: z.nullable(z.string()),
  designation: z.nullable(z.string()),
  standing: LicenseStanding,
  state: z.string(),
  authority: z.nullable(z.string()),
  source: z.string(),
  /** The day on which the source read the register. */
  sourceDate: z.nullable(z.string()),
})
export type License = z.infer<typeof License>

/** `unproven`: it was verified by a match with the register alone, before that took proof of control. */
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
 * - `code`: a code sent to the contact that the register lists
 * - `document`: the license itself, which two moderators reviewed
 * - `register`: nothing but a match with the register, which was enough once; never of one that is verified now
 */
export const VerificationBasis = z.enum(['register', 'code', 'document'])
export type VerificationBasis = z.infer<typeof VerificationBasis>

/** What everyone is shown of a license that the business had verified here. Without one, `none` and nulls. */
export const PublicVerification = z.object({
  status: z.enum(['none', 'verified', 'expired', 'revoked']),
  licenseNumber: z.nullable(z.string()),
  /** Of the license. */
  state: z.nullable(z.string()),
  authority: z.nullable(z.string()),
  source: z.nullable(z.string()),
  /** The day on which the source read the register. */
  sourceDate: z.nullable(z.string()),
  /** When it was last checked against the register, or decided. */
  checkedAt: z.nullable(z.iso.datetime()),
  expiresOn: z.nullable(z.string()),
  /** Who says when it expires. */
  expirySource: z.nullable(z.enum(['register', 'business'])),
  basis: z.nullable(VerificationBasis),
  /** Why it was revoked. */
  reason: z.nullable(z.string()),
})
export type PublicVerification = z.infer<typeof PublicVerification>

/** One business in a list. */
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
  /** Fictional, from the demo content. */
  isDemo: z.boolean(),
  licenseStanding: LicenseStanding,
  /** The business had its license verified, and it has not expired. */
  isLicenseVerified: z.boolean(),
  /** The gold badge: a verified license and the entitlement to it. Money alone never buys it. */
  hasVerifiedBadge: z.boolean(),
  pin: z.nullable(z.object({ latitude: z.number(), longitude: z.number(), precision: Precision })),
  /** Only in lists around a place. What is known by its city or ZIP code alone counts as at least 3 miles or 1 mile away. */
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
  /** Age from which the products and promotions of this business may be shown, and the rule it comes from. */
  productAge: z.object({ minimumAge: z.int(), rule: z.string(), source: z.string() }),
})
export type Business = z.infer<typeof Business>

/**
 * Whether its team may still change the name: nobody has reviewed it or subscribed to it by that name, and no license stands behind
 * it. Else a business could take another's reviews along, and only an admin corrects a slip.
 */
export const isNameOpen = (business: Pick<Business, 'totalRatings' | 'subscriberCount' | 'licenses' | 'verification'>): boolean =>
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
  /** Case-insensitive match on name, description or location. A place name ("Denver", "80202") also finds what is near it. */
  q: z.optional(z.string().check(z.trim(), z.maxLength(120), withoutNul)),
  type: z.optional(BusinessTypeSchema),
  /** A place: "Denver, CO", a ZIP code, or `latitude,longitude`. */
  near: z.optional(z.string().check(z.trim(), z.maxLength(120), withoutNul)),
  /** Miles around `near`; 25 when not given. */
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

/** More matches than this in an area are answered as counted cells instead of pins. */
export const maxPins = 5000

export const mapBusinesses = endpoint({
  method: 'GET',
  path: '/api/businesses/map',
  summary: 'The same search for a map: pins, or counted cells where there are too many',
  tag: 'Businesses',
  access: 'public',
  query: z.object({ ...filters, zoom: z._default(numeric(z.number().check(z.minimum(0), z.maximum(24))), 4) }),
  response: z.object({
    /** Matches of the search, in and outside of the box. */
    total: z.int(),
    /** Where the search is centered, when it names a place. */
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
        /** 1 for a business; more for a counted cell. */
        count: z.int(),
      }),
    ),
  }),
})

export const getBusiness = endpoint({
  method: 'GET',
  path: '/api/businesses/:id',
  summary: 'One business, by id or slug',
  tag: 'Businesses',
  access: 'public',
  params: IdOrSlugParams,
  response: Business,
})

export const getBusinessStatus = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/status',
  summary: "The signed-in person's relation to a business",
  tag: 'Businesses',
  access: 'member',
  params: IdOrSlugParams,
  response: z.object({
    isSubscribed: z.boolean(),
    isFavorited: z.boolean(),
    /** Subscribing implies it; `isSubscribed` never means it. */
    isFollowing: z.boolean(),
    isBlocked: z.boolean(),
    /** `owner` for those who run it. */
    role: z.nullable(z.enum(['owner', 'manager', 'staff'])),
  }),
})

/** A business that the signed-in person helps to run. */
export const MyBusiness = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  type: BusinessTypeSchema,
  imageUrl: z.nullable(z.string()),
  role: z.enum(['owner', 'manager', 'staff']),
  /** The business can't publish promotions or products without it. */
  isLicenseVerified: z.boolean(),
})
export type MyBusiness = z.infer<typeof MyBusiness>

export const listMyBusinesses = endpoint({
  method: 'GET',
  path: '/api/businesses/mine',
  summary: 'The businesses that the signed-in person helps to run, by name: what one can post and comment as',
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
  /** Needed once from accounts that came without one (OpenID). */
  birthday: z.optional(Birthday),
})
export type NewBusiness = z.infer<typeof NewBusiness>

export const createBusiness = endpoint({
  method: 'POST',
  path: '/api/businesses',
  summary:
    'Create a business; its creator becomes its owner and has completed onboarding. Answers 409 with a link to the claim when the license number has a listing',
  tag: 'Businesses',
  access: 'account',
  words: 'published',
  // It stands in the directory at once.
  whileSuspended: false,
  idempotent: true,
  body: NewBusiness,
  response: Business,
  status: 201,
})

/** What the plans page asks for once a plan is bought. The location can follow in the dashboard. */
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
  summary: 'Create a business of a name and a type; its location can follow',
  tag: 'Businesses',
  access: 'member',
  words: 'published',
  whileSuspended: false,
  idempotent: true,
  body: BusinessSetup,
  response: Business,
  status: 201,
})

/** What a business says of itself. What is left out stays; an empty text takes away. Its type is for good. */
export const BusinessEdits = z.object({
  /** Another one only as long as `isNameOpen`. */
  name: z.optional(BusinessName),
  description: z.optional(line(2000)),
  location: z.optional(businessPlaceName()),
  address: z.optional(line(200)),
  phone: z.optional(line(40)),
  website: z.optional(WebAddressOrEmpty),
  /** A picture of another site, fetched once; an empty text takes the picture away. */
  imageUrl: z.optional(WebAddressOrEmpty),
  /** A picture of one's own uploads. */
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

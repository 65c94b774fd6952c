import { Birthday } from './accounts.ts'
import { amenities } from './amenities.ts'
import { BusinessTypeSchema, Id, line, WebAddressOrEmpty } from './fields.ts'
import { businessPlaceName } from './place-name.ts'
import * as z from './zod.ts'

/** Precision of a coordinate. A farm's pin is never more precise than its city. */
export const Precision = z.enum(['premise', 'zip', 'city'])
export type Precision = z.infer<typeof Precision>

/**
 * What the license register says about a listing.
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
  state: z.nullable(z.string()),
  authority: z.nullable(z.string()),
  source: z.nullable(z.string()),
  /** The day the source read the register. */
  sourceDate: z.nullable(z.string()),
  /** When it was last checked against the register, or decided. */
  checkedAt: z.nullable(z.iso.datetime()),
  expiresOn: z.nullable(z.string()),
  expirySource: z.nullable(z.enum(['register', 'business'])),
  basis: z.nullable(VerificationBasis),
  reason: z.nullable(z.string()),
})
export type PublicVerification = z.infer<typeof PublicVerification>

/** Whether a place is open at the time of the response. */
export const OpenNow = z.object({
  isOpen: z.boolean(),
  /** The next change within a week, or null. */
  changesAt: z.nullable(z.iso.datetime()),
  /** Today's holiday or other reason, if any. */
  note: z.nullable(z.string()),
})

export const closureKinds = ['temporary', 'permanent'] as const

/** A closed business keeps its page but leaves lists, maps and subscriptions. */
export const Closure = z.object({
  kind: z.enum(closureKinds),
  since: z.iso.datetime(),
  /** Two members who agree count as `members`. */
  by: z.enum(['owner', 'members', 'moderators']),
  /** The day on which it plans to reopen, if it is temporary. */
  reopensOn: z.nullable(z.string()),
})
export type Closure = z.infer<typeof Closure>

export const NewClosure = z.object({
  kind: z.enum(closureKinds),
  /** Only for a temporary closure; a day in the future. */
  reopensOn: z._default(z.nullable(z.iso.date('Choose a day')), null),
})
export type NewClosure = z.infer<typeof NewClosure>

/** A move that the business has announced. Until that day, it is at its current address. */
export const Move = z.object({
  movesOn: z.string(),
  location: z.string(),
  /** Never set for a farm. */
  address: z.nullable(z.string()),
})
export type Move = z.infer<typeof Move>

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
  /** The main location's state. Null if its hours aren't stated or the business is closed. */
  openNow: z.nullable(OpenNow),
  /** IANA name; null if the hours aren't stated. */
  timeZone: z.nullable(z.string()),
  /** When the least recently confirmed item of its menu was confirmed; null without a menu. */
  menuConfirmedAt: z.nullable(z.iso.datetime()),
  /** Null while it is in business. */
  closure: z.nullable(Closure),
  createdAt: z.iso.datetime(),
})
export type BusinessSummary = z.infer<typeof BusinessSummary>

export const Business = z.extend(BusinessSummary, {
  city: z.nullable(z.string()),
  state: z.nullable(z.string()),
  zip: z.nullable(z.string()),
  logoUrl: z.nullable(z.string()),
  amenities: z.array(z.enum(amenities)),
  /** Null if it isn't about to move. */
  move: z.nullable(Move),
  licenses: z.array(License),
  verification: PublicVerification,
  /** Minimum age for this business's products and promotions, and the rule behind it. */
  productAge: z.object({ minimumAge: z.int(), rule: z.string(), source: z.string() }),
})
export type Business = z.infer<typeof Business>

export const businessSorts = ['highest_rated', 'distance', 'name', 'newest'] as const
export type BusinessSort = (typeof businessSorts)[number]

const latitude = z.number().check(z.minimum(-90), z.maximum(90))
const longitude = z.number().check(z.minimum(-180), z.maximum(180))

/** `west,south,east,north` in degrees. */
export const BoundingBox = z.pipe(
  z.transform((value: unknown) => (typeof value === 'string' ? value.split(',').map(Number) : value)),
  z.tuple([longitude, latitude, longitude, latitude], 'Must be west,south,east,north in degrees'),
)

export const MyBusiness = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  /** What to call it in a choice: the name, with city or street if another one has the same name. */
  label: z.string(),
  type: BusinessTypeSchema,
  imageUrl: z.nullable(z.string()),
  role: z.enum(['owner', 'manager', 'staff']),
  /** Required to publish promotions or products. */
  isLicenseVerified: z.boolean(),
})
export type MyBusiness = z.infer<typeof MyBusiness>

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

/** Asked on the plans page after a purchase. The location can be added later in the dashboard. */
export const BusinessSetup = z.object({
  businessType: z._default(z.enum(['farm', 'dispensary']), 'farm'),
  businessName: BusinessName,
  location: z._default(z.union([z.literal(''), businessPlaceName()]), ''),
  description: NewBusiness.shape.description,
})
export type BusinessSetup = z.infer<typeof BusinessSetup>

/** Editable fields of a business. Omitted fields are unchanged; an empty string clears a field. The type is permanent. */
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
  /** One of the person's uploads; null removes the logo. */
  logoId: z.optional(z.nullable(Id)),
  /** All of them; omitted ones are removed. */
  amenities: z.optional(z.array(z.enum(amenities)).check(z.maxLength(amenities.length))),
})
export type BusinessEdits = z.infer<typeof BusinessEdits>

import { Birthday } from './accounts.ts'
import { amenities } from './amenities.ts'
import { BusinessTypeSchema, Id, line, PhoneOrEmpty, WebAddressOrEmpty } from './fields.ts'
import { businessPlaceName } from './place-name.ts'
import * as z from './zod.ts'

/** A farm's pin is never more precise than its city. */
export const Precision = z.enum(['premise', 'zip', 'city'])
export type Precision = z.infer<typeof Precision>

/**
 * A listing's status in the license register.
 * - `listed`: in the register without an adverse status, or verified here from its document
 * - `inactive`: in the register as inactive, suspended, void or not operating; or formerly verified from its document
 * - `missing`: in an older register file but not in the latest
 * - `none`: no register license is linked
 */
export const LicenseStanding = z.enum(['listed', 'inactive', 'missing', 'none'])
export type LicenseStanding = z.infer<typeof LicenseStanding>

export const License = z.object({
  id: Id,
  licenseNumber: z.nullable(z.string()),
  licenseType: z.nullable(z.string()),
  /** As the authority spells it. Null if the register doesn't state it. */
  status: z.nullable(z.string()),
  designation: z.nullable(z.string()),
  standing: LicenseStanding,
  state: z.string(),
  authority: z.nullable(z.string()),
  source: z.string(),
  /** The day the source downloaded the register. */
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
 * How the business proved that it controls the license.
 * - `code`: a code sent to the contact listed in the register
 * - `document`: the license itself, reviewed by two moderators
 * - `register`: a register match, which is no longer sufficient; no verified license has this basis
 */
export const VerificationBasis = z.enum(['register', 'code', 'document'])
export type VerificationBasis = z.infer<typeof VerificationBasis>

/** The business's license, if this site verified one. Otherwise, `none` and nulls. */
export const PublicVerification = z.object({
  status: z.enum(['none', 'verified', 'expired', 'revoked']),
  licenseNumber: z.nullable(z.string()),
  state: z.nullable(z.string()),
  authority: z.nullable(z.string()),
  source: z.nullable(z.string()),
  /** The day the source downloaded the register. */
  sourceDate: z.nullable(z.string()),
  /** When a register check or a moderator last confirmed or changed the status. */
  checkedAt: z.nullable(z.iso.datetime()),
  expiresOn: z.nullable(z.string()),
  expirySource: z.nullable(z.enum(['register', 'business'])),
  basis: z.nullable(VerificationBasis),
  reason: z.nullable(z.string()),
})
export type PublicVerification = z.infer<typeof PublicVerification>

export const OpenNow = z.object({
  isOpen: z.boolean(),
  /** Null if nothing changes within a week. */
  changesAt: z.nullable(z.iso.datetime()),
  /** Such as the name of today's holiday. */
  note: z.nullable(z.string()),
})

export const closureKinds = ['temporary', 'permanent'] as const

/** A closed business still has a page, but it isn't in lists or on maps and can't gain subscribers. */
export const Closure = z.object({
  kind: z.enum(closureKinds),
  since: z.iso.datetime(),
  /** `members`: one member reported the closure and another agreed. */
  by: z.enum(['owner', 'members', 'moderators']),
  /** Only for a temporary closure, and until the day has passed. */
  reopensOn: z.nullable(z.string()),
})
export type Closure = z.infer<typeof Closure>

export const NewClosure = z.object({
  kind: z.enum(closureKinds),
  /** Only for a temporary closure; a day in the future. */
  reopensOn: z._default(z.nullable(z.iso.date('Choose a day')), null),
})
export type NewClosure = z.infer<typeof NewClosure>

/** An announced move. Until that day, the business is still at its current address. */
export const Move = z.object({
  movesOn: z.string(),
  location: z.string(),
  address: z.nullable(z.string()),
  /** Null unless the owner set it. */
  pin: z.nullable(z.object({ latitude: z.number(), longitude: z.number() })),
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
  /** Rounded to one decimal. */
  averageRating: z.number(),
  totalRatings: z.int(),
  subscriberCount: z.int(),
  isClaimed: z.boolean(),
  isDemo: z.boolean(),
  licenseStanding: LicenseStanding,
  isLicenseVerified: z.boolean(),
  /** The gold badge. Requires a verified license and the entitlement, so payment alone isn't enough. */
  hasVerifiedBadge: z.boolean(),
  pin: z.nullable(z.object({ latitude: z.number(), longitude: z.number(), precision: Precision })),
  /** Only in lists around a place. A location counts as at least 1 mile away if known only by ZIP code, and 3 if known only by city. */
  distanceMiles: z.nullable(z.number()),
  /** For the main location. Null if the business has a `closure` or hasn't stated its hours. */
  openNow: z.nullable(OpenNow),
  /** IANA name. Null if the business hasn't stated its hours. */
  timeZone: z.nullable(z.string()),
  /** The oldest confirmation among the menu's items. Null if there is no menu. */
  menuConfirmedAt: z.nullable(z.iso.datetime()),
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
  move: z.nullable(Move),
  licenses: z.array(License),
  verification: PublicVerification,
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
  /** The name. If another of the viewer's businesses has the same one, also the city and, if needed, the street. */
  label: z.string(),
  type: BusinessTypeSchema,
  imageUrl: z.nullable(z.string()),
  role: z.enum(['owner', 'manager', 'staff']),
  /** Required to publish promotions, products or events. */
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
  phone: z._default(PhoneOrEmpty, ''),
  website: z._default(WebAddressOrEmpty, ''),
  imageUrl: z._default(WebAddressOrEmpty, ''),
  licenseNumber: z.optional(z.nullable(line(80))),
  /** Required once for accounts that signed up through OpenID. */
  birthday: z.optional(Birthday),
})
export type NewBusiness = z.infer<typeof NewBusiness>

/** Requested on the plans page after a purchase. The location can be added later on the dashboard. */
export const BusinessSetup = z.object({
  businessType: z._default(z.enum(['farm', 'dispensary']), 'farm'),
  businessName: BusinessName,
  location: z._default(z.union([z.literal(''), businessPlaceName()]), ''),
  description: NewBusiness.shape.description,
})
export type BusinessSetup = z.infer<typeof BusinessSetup>

const Amenities = z.array(z.enum(amenities)).check(z.maxLength(amenities.length))

/** Omitted fields are unchanged; an empty string clears a field. The type is permanent. */
export const BusinessEdits = z.object({
  /** Can change only while `isNameOpen`. */
  name: z.optional(BusinessName),
  description: z.optional(line(2000)),
  location: z.optional(businessPlaceName()),
  address: z.optional(line(200)),
  phone: z.optional(PhoneOrEmpty),
  website: z.optional(WebAddressOrEmpty),
  /** A picture on another site, which the server downloads once. An empty string removes the picture. */
  imageUrl: z.optional(WebAddressOrEmpty),
  /** One of the person's uploads. */
  imageId: z.optional(Id),
  /** One of the person's uploads; null removes the logo. */
  logoId: z.optional(z.nullable(Id)),
  /** The complete list: omitted amenities are removed. */
  amenities: z.optional(Amenities),
  /** The list as it was when the person started editing. If sent, changes that others have made since are kept. */
  amenitiesBefore: z.optional(Amenities),
})
export type BusinessEdits = z.infer<typeof BusinessEdits>

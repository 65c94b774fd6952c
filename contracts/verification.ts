import { isCalendarDate } from './age.ts'
import { License, LicenseVerificationStatus, PublicVerification, VerificationBasis } from './businesses.ts'
import { BusinessTypeSchema, Id, line } from './fields.ts'
import { Media } from './media.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

/** Per account in 24 hours. */
export const maxRequestsPerDay = 5
/** The business is warned this many days before its license expires. */
export const warningDays = [60, 30, 7] as const

/**
 * How the license that a business entered matches the register.
 * - `full`: number, state, name and type agree
 * - `near`: number and state match, but the type differs, or the names differ so slightly that they may be two spellings of one name
 * - `none`: no license in this state has this number, or the license that does has a quite different name
 */
export const LicenseMatch = z.enum(['full', 'near', 'none'])
export type LicenseMatch = z.infer<typeof LicenseMatch>

/**
 * Why a request is pending. `listing`: the directory lists the license for another business. `holder`: another business is verified with
 * it. `proof`: the register matches, but the business hasn't proven control of the license.
 */
export const LicenseDifference = z.enum(['number', 'name', 'type', 'listing', 'holder', 'proof'])
export type LicenseDifference = z.infer<typeof LicenseDifference>

export const RegisterLicense = z.extend(License, {
  businessName: z.string(),
  businessType: BusinessTypeSchema,
  expiresOn: z.nullable(z.string()),
})
export type RegisterLicense = z.infer<typeof RegisterLicense>

export const Verification = z.object({
  id: Id,
  businessId: Id,
  status: LicenseVerificationStatus,
  licenseNumber: z.string(),
  state: z.string(),
  licenseName: z.string(),
  businessType: BusinessTypeSchema,
  statedExpiresOn: z.nullable(z.string()),
  document: z.nullable(Media),
  match: LicenseMatch,
  differences: z.array(LicenseDifference),
  basis: z.nullable(VerificationBasis),
  authority: z.nullable(z.string()),
  source: z.nullable(z.string()),
  sourceDate: z.nullable(z.string()),
  expiresOn: z.nullable(z.string()),
  expirySource: z.nullable(z.enum(['register', 'business'])),
  reason: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  verifiedAt: z.nullable(z.iso.datetime()),
  checkedAt: z.nullable(z.iso.datetime()),
  endedAt: z.nullable(z.iso.datetime()),
})
export type Verification = z.infer<typeof Verification>

export const LicenseState = z.object({
  shown: PublicVerification,
  hasVerifiedBadge: z.boolean(),
  pending: z.nullable(Verification),
  /** The newest 20, newest first. */
  history: z.array(Verification),
  linked: z.array(RegisterLicense),
  suggestion: z.object({
    licenseNumber: z.string(),
    state: z.string(),
    licenseName: z.string(),
    businessType: BusinessTypeSchema,
  }),
})
export type LicenseState = z.infer<typeof LicenseState>

const day = z.string('Enter a date').check(z.refine(isCalendarDate, 'Enter a date'))

export const VerificationRequest = z.object({
  licenseNumber: line(80, 'License number is required').check(z.regex(/[\p{L}\p{N}]/u, 'License number is required')),
  state: z.string('Choose a state').check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z]{2}$/, 'Choose a state')),
  /** Legal or trade name, as on the license. */
  licenseName: line(200, 'Name on the license is required'),
  businessType: BusinessTypeSchema,
  expiresOn: z._default(z.nullable(day), null),
  /** The license as a PDF that the person uploaded. */
  documentId: z._default(z.nullable(Id), null),
})
export type VerificationRequest = z.infer<typeof VerificationRequest>

/** A request with a document that two moderators must approve. */
export const WaitingVerification = z.object({
  verification: Verification,
  business: z.object({ id: Id, slug: z.string(), name: z.string(), type: BusinessTypeSchema, location: z.nullable(z.string()) }),
  requestedBy: z.nullable(Person),
  /** The closest register row with this number and state. */
  register: z.nullable(RegisterLicense),
  /** Another business that is verified with this license or whose listing has it. */
  holder: z.nullable(z.object({ slug: z.string(), name: z.string(), isVerified: z.boolean() })),
  approvals: z.array(z.object({ person: Person, approvedAt: z.iso.datetime() })),
  /** False for the requester, for the teams of the businesses involved, and for moderators who already approved it. */
  mayApprove: z.boolean(),
  mayReject: z.boolean(),
})
export type WaitingVerification = z.infer<typeof WaitingVerification>

import { Email } from './accounts.ts'
import { BusinessSummary, License } from './businesses.ts'
import { Id, line } from './fields.ts'
import { Media } from './media.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

/**
 * How a person proves that they run the listed business.
 * - `email`: a code emailed to an address on the domain of the website in the register
 * - `phone`: a moderator calls the number in the register and reads a code aloud
 * - `review`: a moderator decides
 */
export const ClaimMethod = z.enum(['email', 'phone', 'review'])
export type ClaimMethod = z.infer<typeof ClaimMethod>

/** `closed`: ended without a decision, for the reason in `closedBecause`. */
export const ClaimStatus = z.enum(['open', 'approved', 'rejected', 'closed'])
export type ClaimStatus = z.infer<typeof ClaimStatus>

export const codeAttempts = 5

export const phoneCodeDays = 7

export const maxCandidates = 5

/** A claim to a listing, or a request to prove control of a license by code, as seen by the person who made it. */
export const Claim = z.object({
  id: Id,
  businessId: Id,
  /** The verification request that the code is for; null for claims to listings. */
  verificationId: z.nullable(Id),
  method: ClaimMethod,
  status: ClaimStatus,
  isDispute: z.boolean(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  /** Null for claims by review. */
  codeExpiresAt: z.nullable(z.iso.datetime()),
  isCodeExpired: z.boolean(),
  attemptsLeft: z.int(),
  canResend: z.boolean(),
  statement: z.nullable(z.string()),
  closedBecause: z.nullable(z.enum(['attempts', 'expired', 'claimed', 'withdrawn'])),
  reason: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
})
export type Claim = z.infer<typeof Claim>

export const ClaimOptions = z.object({
  business: BusinessSummary,
  licenses: z.array(License),
  /** If the listing has an owner, only a review is possible. */
  isOwned: z.boolean(),
  isOwnTeam: z.boolean(),
  /** The listing is fictional, so it can't be claimed. */
  isClosed: z.boolean(),
  /** Domains accepted for an emailed code. Empty if the register has no website that belongs to the business. */
  emailDomains: z.array(z.string()),
  phone: z.nullable(z.string()),
  claim: z.nullable(Claim),
})
export type ClaimOptions = z.infer<typeof ClaimOptions>

export const NewClaim = z.discriminatedUnion('method', [
  z.object({ method: z.literal('email'), businessId: Id, email: Email }),
  z.object({ method: z.literal('phone'), businessId: Id }),
  z.object({
    method: z.literal('review'),
    businessId: Id,
    statement: line(2000, 'Tell us your role in this business'),
    /** A PDF that the person uploaded. Moderators are the only others who can see it, and only until the claim ends. */
    documentId: z._default(z.nullable(Id), null),
  }),
])
export type NewClaim = z.infer<typeof NewClaim>

export const LicenseProof = z.object({
  /** Domains accepted for an emailed code. Empty if the register has no website that belongs to the business. */
  emailDomains: z.array(z.string()),
  phone: z.nullable(z.string()),
  claim: z.nullable(Claim),
})
export type LicenseProof = z.infer<typeof LicenseProof>

export const NewLicenseProof = z.discriminatedUnion('method', [
  z.object({ method: z.literal('email'), email: Email }),
  z.object({ method: z.literal('phone') }),
])
export type NewLicenseProof = z.infer<typeof NewLicenseProof>

export const ClaimCode = z.string('Enter the code').check(z.trim(), z.regex(/^\d{6}$/, 'Enter the 6-digit code'))

export const WaitingClaim = z.object({
  id: Id,
  method: z.enum(['phone', 'review']),
  isDispute: z.boolean(),
  business: BusinessSummary,
  licenses: z.array(License),
  /** The license that the code is for; null for claims to listings. */
  proves: z.nullable(z.object({ licenseNumber: z.string(), state: z.string(), licenseName: z.string() })),
  claimant: Person,
  memberSince: z.iso.datetime(),
  isEmailConfirmed: z.boolean(),
  /** Null unless moderators restricted the account. */
  accountStatus: z.nullable(z.enum(['muted', 'suspended', 'banned'])),
  /** The register's phone number, and the code to read aloud on the call. Null for claims by review. */
  phone: z.nullable(z.string()),
  code: z.nullable(z.string()),
  codeExpiresAt: z.nullable(z.iso.datetime()),
  attemptsLeft: z.int(),
  statement: z.nullable(z.string()),
  document: z.nullable(Media),
  owner: z.nullable(Person),
  createdAt: z.iso.datetime(),
})
export type WaitingClaim = z.infer<typeof WaitingClaim>

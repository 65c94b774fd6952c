import { Email } from './accounts.ts'
import { BusinessSummary, License } from './businesses.ts'
import { Id, line } from './fields.ts'
import { Media } from './media.ts'
import { Person } from './people.ts'
import * as z from './zod.ts'

/**
 * How a person proves that a listing is theirs.
 * - `email`: a code emailed to an address at the website listed in the register
 * - `phone`: a moderator calls the number listed in the register and reads a code out
 * - `review`: a moderator decides
 */
export const ClaimMethod = z.enum(['email', 'phone', 'review'])
export type ClaimMethod = z.infer<typeof ClaimMethod>

/** `closed`: ended without a decision; `closedBecause` says why. */
export const ClaimStatus = z.enum(['open', 'approved', 'rejected', 'closed'])
export type ClaimStatus = z.infer<typeof ClaimStatus>

export const codeAttempts = 5

export const phoneCodeDays = 7

export const maxCandidates = 5

/** A claim of a listing, or a license's proof by code, as its creator sees it. */
export const Claim = z.object({
  id: Id,
  businessId: Id,
  /** The verification request proven by the code; null for claims of listings. */
  verificationId: z.nullable(Id),
  method: ClaimMethod,
  status: ClaimStatus,
  isDispute: z.boolean(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  /** When the code expires; null for reviews. */
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
  /** It has an owner, so only a review is possible. */
  isOwned: z.boolean(),
  isOwnTeam: z.boolean(),
  /** Can't be claimed: fictional or not from the register. */
  isClosed: z.boolean(),
  /** Domains accepted for an emailed code; empty if the register lists no website of the business's own. */
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
    /** A PDF uploaded by the person, visible only to moderators until the claim ends. */
    documentId: z._default(z.nullable(Id), null),
  }),
])
export type NewClaim = z.infer<typeof NewClaim>

/** Ways to prove a verification request without a document. */
export const LicenseProof = z.object({
  /** Domains accepted for an emailed code; empty if the register lists no website of the business's own. */
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
  /** The license proven by the code; null for claims of listings. */
  proves: z.nullable(z.object({ licenseNumber: z.string(), state: z.string(), licenseName: z.string() })),
  claimant: Person,
  /** When the claimant's account was created. */
  memberSince: z.iso.datetime(),
  /** The register's phone number and the code to read out to the person who answers. Null for reviews. */
  phone: z.nullable(z.string()),
  code: z.nullable(z.string()),
  codeExpiresAt: z.nullable(z.iso.datetime()),
  attemptsLeft: z.int(),
  statement: z.nullable(z.string()),
  document: z.nullable(Media),
  /** The current owner, if the claim is a dispute. */
  owner: z.nullable(Person),
  createdAt: z.iso.datetime(),
})
export type WaitingClaim = z.infer<typeof WaitingClaim>

import * as z from 'zod/mini'
import { Email } from './accounts.ts'
import { BusinessSummary, License } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams, IdParams } from './ids.ts'
import { Media } from './media.ts'
import { page } from './pagination.ts'
import { Person } from './people.ts'
import { line } from './text.ts'

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
export const mailedCodeMinutes = 15
export const phoneCodeDays = 7

export const maxCandidates = 5

export const findClaimCandidates = endpoint({
  method: 'GET',
  path: '/api/claims/candidates',
  summary: 'Find the unclaimed listings that a business could be, by its license number or its name and place',
  tag: 'Claims',
  access: 'public',
  query: z.object({
    licenseNumber: z.optional(line(80)),
    /** The license's state as a two-letter code; if omitted, searches all states. */
    state: z.optional(z.string().check(z.toUpperCase(), z.regex(/^[A-Z]{2}$/, 'Must be a two-letter state code'))),
    name: z.optional(line(120)),
    place: z.optional(line(120)),
  }),
  response: z.array(z.object({ business: BusinessSummary, matchedBy: z.enum(['license', 'name']) })),
})

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

export const getClaimOptions = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/claim',
  summary: 'Read how you can claim a listing, and your progress',
  tag: 'Claims',
  access: 'member',
  params: IdOrSlugParams,
  response: ClaimOptions,
})

export const NewClaim = z.discriminatedUnion('method', [
  z.object({ method: z.literal('email'), businessId: Id, email: Email }),
  z.object({ method: z.literal('phone'), businessId: Id }),
  z.object({
    method: z.literal('review'),
    businessId: Id,
    statement: line(2000, 'Tell us how you belong to this business'),
    /** A PDF uploaded by the person, visible only to moderators until the claim ends. */
    documentId: z._default(z.nullable(Id), null),
  }),
])
export type NewClaim = z.infer<typeof NewClaim>

export const openClaim = endpoint({
  method: 'POST',
  path: '/api/claims',
  summary: 'Claim a listing. Returns the open claim if there is one.',
  tag: 'Claims',
  access: 'member',
  words: 'moderation',
  body: NewClaim,
  response: Claim,
  status: 201,
})

/** Ways to prove a verification request without a document. */
export const LicenseProof = z.object({
  /** Domains accepted for an emailed code; empty if the register lists no website of the business's own. */
  emailDomains: z.array(z.string()),
  phone: z.nullable(z.string()),
  claim: z.nullable(Claim),
})
export type LicenseProof = z.infer<typeof LicenseProof>

export const getLicenseProof = endpoint({
  method: 'GET',
  path: '/api/verifications/:id/proof',
  summary: 'Read how you can prove a matching license with a code, and your progress',
  tag: 'Claims',
  access: 'member',
  params: IdParams,
  response: LicenseProof,
})

export const NewLicenseProof = z.discriminatedUnion('method', [
  z.object({ method: z.literal('email'), email: Email }),
  z.object({ method: z.literal('phone') }),
])
export type NewLicenseProof = z.infer<typeof NewLicenseProof>

export const openLicenseProof = endpoint({
  method: 'POST',
  path: '/api/verifications/:id/proof',
  summary: 'Send a code to the contact that the register lists for the license. Returns the open request if there is one.',
  tag: 'Claims',
  access: 'member',
  params: IdParams,
  body: NewLicenseProof,
  response: Claim,
  status: 201,
})

export const ClaimCode = z.string('Enter the code').check(z.trim(), z.regex(/^\d{6}$/, 'Enter the six digits of the code'))

export const enterClaimCode = endpoint({
  method: 'POST',
  path: '/api/claims/:id/code',
  summary: 'Enter the code; the right one makes you the owner, or verifies the license',
  tag: 'Claims',
  access: 'member',
  rateLimit: 'sign-in',
  params: IdParams,
  body: z.object({ code: ClaimCode }),
  response: Claim,
})

export const resendClaimCode = endpoint({
  method: 'POST',
  path: '/api/claims/:id/resend',
  summary: 'Email another code; the previous one stops working',
  tag: 'Claims',
  access: 'member',
  rateLimit: 'mail',
  params: IdParams,
  response: Claim,
})

export const withdrawClaim = endpoint({
  method: 'DELETE',
  path: '/api/claims/:id',
  summary: 'Withdraw your open claim',
  tag: 'Claims',
  access: 'member',
  params: IdParams,
})

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

export const listWaitingClaims = endpoint({
  method: 'GET',
  path: '/api/claims/waiting',
  summary: 'List claims waiting for a moderator, the oldest first; never your own',
  tag: 'Claims',
  access: 'moderator',
  paginated: true,
  query: z.object(page),
  response: z.array(WaitingClaim),
})

export const approveClaim = endpoint({
  method: 'POST',
  path: '/api/claims/:id/approve',
  summary: 'Make the claimant the owner. Idempotent.',
  tag: 'Claims',
  access: 'moderator',
  params: IdParams,
})

export const rejectClaim = endpoint({
  method: 'POST',
  path: '/api/claims/:id/reject',
  summary: 'Reject a claim with the reason that the claimant sees',
  tag: 'Claims',
  access: 'moderator',
  words: 'office',
  params: IdParams,
  body: z.object({ reason: line(500, 'Say why') }),
})

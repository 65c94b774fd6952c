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
 * How somebody shows that a listing is theirs.
 * - `email`: a code mailed to an address at the website that the register lists
 * - `phone`: somebody of ours calls the number that the register lists and reads a code out
 * - `review`: somebody of ours decides
 */
export const ClaimMethod = z.enum(['email', 'phone', 'review'])
export type ClaimMethod = z.infer<typeof ClaimMethod>

/** `closed`: over without a decision; `closedBecause` says why. */
export const ClaimStatus = z.enum(['open', 'approved', 'rejected', 'closed'])
export type ClaimStatus = z.infer<typeof ClaimStatus>

export const codeAttempts = 5
export const mailedCodeMinutes = 15
export const phoneCodeDays = 7

export const mostCandidates = 5

export const findClaimCandidates = endpoint({
  method: 'GET',
  path: '/api/claims/candidates',
  summary: 'The unclaimed listings that a business could be: by its license number, or its name and place',
  tag: 'Claims',
  access: 'public',
  query: z.object({
    licenseNumber: z.optional(line(80)),
    /** Of the license: a two-letter code. Without one, every state is looked at. */
    state: z.optional(z.string().check(z.toUpperCase(), z.regex(/^[A-Z]{2}$/, 'Must be a two-letter state code'))),
    name: z.optional(line(120)),
    place: z.optional(line(120)),
  }),
  response: z.array(z.object({ business: BusinessSummary, matchedBy: z.enum(['license', 'name']) })),
})

/** A claim of a listing, or the proof of a license by a code, as the person who opened it sees it. */
export const Claim = z.object({
  id: Id,
  businessId: Id,
  /** The request for verification that the code proves; null for a claim of a listing. */
  verificationId: z.nullable(Id),
  method: ClaimMethod,
  status: ClaimStatus,
  isDispute: z.boolean(),
  /** Where the code was mailed. */
  email: z.nullable(z.string()),
  /** Which number is called. */
  phone: z.nullable(z.string()),
  /** Until when the code can be entered; null for a review. */
  codeExpiresAt: z.nullable(z.iso.datetime()),
  isCodeExpired: z.boolean(),
  attemptsLeft: z.int(),
  canResend: z.boolean(),
  statement: z.nullable(z.string()),
  closedBecause: z.nullable(z.enum(['attempts', 'expired', 'claimed', 'withdrawn'])),
  /** Why it was rejected. */
  reason: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
})
export type Claim = z.infer<typeof Claim>

export const ClaimOptions = z.object({
  business: BusinessSummary,
  licenses: z.array(License),
  /** Somebody owns it already: then a review is the only way. */
  isOwned: z.boolean(),
  /** The signed-in person is of its team. */
  isOwnTeam: z.boolean(),
  /** Nothing of this can be claimed: fictional, or not of the register. */
  isClosed: z.boolean(),
  /** Domains at which a mailed code is taken; empty when the register lists no website of the business's own. */
  emailDomains: z.array(z.string()),
  phone: z.nullable(z.string()),
  /** The person's latest claim of this business. */
  claim: z.nullable(Claim),
})
export type ClaimOptions = z.infer<typeof ClaimOptions>

export const getClaimOptions = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/claim',
  summary: 'How the signed-in person can claim a listing, and how far they are with it',
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
    /** A PDF of one's own uploads. Moderators alone see it, until the claim is over. */
    documentId: z._default(z.nullable(Id), null),
  }),
])
export type NewClaim = z.infer<typeof NewClaim>

export const openClaim = endpoint({
  method: 'POST',
  path: '/api/claims',
  summary: 'Claim a listing; asking the same again answers the claim that is open',
  tag: 'Claims',
  access: 'member',
  words: 'moderation',
  body: NewClaim,
  response: Claim,
  status: 201,
})

/** How a request for verification can be proven without a document. */
export const LicenseProof = z.object({
  /** Domains at which a mailed code is taken; empty when the register lists no website of the business's own. */
  emailDomains: z.array(z.string()),
  phone: z.nullable(z.string()),
  /** The person's latest code for this request. */
  claim: z.nullable(Claim),
})
export type LicenseProof = z.infer<typeof LicenseProof>

export const getLicenseProof = endpoint({
  method: 'GET',
  path: '/api/verifications/:id/proof',
  summary: 'How a license that matches the register can be proven by a code, and how far the signed-in person is with it',
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
  summary: 'Ask for a code to the contact that the register lists for the license; asking the same again answers the open one',
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
  summary: 'Enter the code; the right one makes the person the owner, or the license verified',
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
  summary: 'Mail another code; the one before ends',
  tag: 'Claims',
  access: 'member',
  rateLimit: 'mail',
  params: IdParams,
  response: Claim,
})

export const withdrawClaim = endpoint({
  method: 'DELETE',
  path: '/api/claims/:id',
  summary: "Give up one's own open claim",
  tag: 'Claims',
  access: 'member',
  params: IdParams,
})

/** A claim that waits for a moderator: a number to call, or a decision. */
export const WaitingClaim = z.object({
  id: Id,
  method: z.enum(['phone', 'review']),
  isDispute: z.boolean(),
  business: BusinessSummary,
  licenses: z.array(License),
  /** The license that the code proves; null for a claim of a listing. */
  proves: z.nullable(z.object({ licenseNumber: z.string(), state: z.string(), licenseName: z.string() })),
  claimant: Person,
  /** Since when the claimant has an account. */
  memberSince: z.iso.datetime(),
  /** The number of the register, and the code to read out to whoever answers there. Null for a review. */
  phone: z.nullable(z.string()),
  code: z.nullable(z.string()),
  codeExpiresAt: z.nullable(z.iso.datetime()),
  attemptsLeft: z.int(),
  statement: z.nullable(z.string()),
  document: z.nullable(Media),
  /** Who owns it, where the claim is a dispute. */
  owner: z.nullable(Person),
  createdAt: z.iso.datetime(),
})
export type WaitingClaim = z.infer<typeof WaitingClaim>

export const listWaitingClaims = endpoint({
  method: 'GET',
  path: '/api/claims/waiting',
  summary: "Claims that wait for a moderator, the oldest first; never one's own",
  tag: 'Claims',
  access: 'moderator',
  paginated: true,
  query: z.object(page),
  response: z.array(WaitingClaim),
})

export const approveClaim = endpoint({
  method: 'POST',
  path: '/api/claims/:id/approve',
  summary: 'Make the claimant the owner; approving again changes nothing',
  tag: 'Claims',
  access: 'moderator',
  params: IdParams,
})

export const rejectClaim = endpoint({
  method: 'POST',
  path: '/api/claims/:id/reject',
  summary: 'Refuse a claim, with the reason that the claimant is told',
  tag: 'Claims',
  access: 'moderator',
  words: 'office',
  params: IdParams,
  body: z.object({ reason: line(500, 'Say why') }),
})

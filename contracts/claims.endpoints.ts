import { BusinessSummary } from './businesses.ts'
import { Claim, ClaimCode, ClaimOptions, LicenseProof, NewClaim, NewLicenseProof, WaitingClaim } from './claims.ts'
import { endpoint } from './endpoint.ts'
import { IdOrSlugParams, IdParams, line, page } from './fields.ts'
import * as z from './zod.ts'

export const findClaimCandidates = endpoint({
  method: 'GET',
  path: '/api/claims/candidates',
  summary: 'Find unclaimed listings that match a business, by its license number or its name and place',
  tag: 'Claims',
  access: 'public',
  query: z.object({
    licenseNumber: z.optional(line(80)),
    /** Two letters. If omitted, searches all states. */
    state: z.optional(z.string().check(z.toUpperCase(), z.regex(/^[A-Z]{2}$/, 'Must be a two-letter state code'))),
    name: z.optional(line(120)),
    place: z.optional(line(120)),
  }),
  response: z.array(z.object({ business: BusinessSummary, matchedBy: z.enum(['license', 'name']) })),
})

export const getClaimOptions = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/claim',
  summary: 'Read how you can claim a listing, and your progress',
  tag: 'Claims',
  access: 'member',
  params: IdOrSlugParams,
  response: ClaimOptions,
})

export const openClaim = endpoint({
  method: 'POST',
  path: '/api/claims',
  summary: "Claim a listing. Replaces your open claim unless it's the same.",
  tag: 'Claims',
  access: 'member',
  words: 'moderation',
  body: NewClaim,
  response: Claim,
  status: 201,
})

export const getLicenseProof = endpoint({
  method: 'GET',
  path: '/api/verifications/:id/proof',
  summary: 'See your progress toward proving that you control a matching license, and how to get a code',
  tag: 'Claims',
  access: 'member',
  params: IdParams,
  response: LicenseProof,
})

export const openLicenseProof = endpoint({
  method: 'POST',
  path: '/api/verifications/:id/proof',
  summary: "Request a code by email or phone, through the license's contact in the register. Replaces a different open request.",
  tag: 'Claims',
  access: 'member',
  params: IdParams,
  body: NewLicenseProof,
  response: Claim,
  status: 201,
})

export const enterClaimCode = endpoint({
  method: 'POST',
  path: '/api/claims/:id/code',
  summary: 'Enter the code. If it’s correct, you become the owner or the license is verified.',
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

export const listWaitingClaims = endpoint({
  method: 'GET',
  path: '/api/claims/waiting',
  summary: 'List claims waiting for a moderator, except those that involve you, oldest first',
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
  summary: 'Reject a claim, with a reason for the claimant',
  tag: 'Claims',
  access: 'moderator',
  words: 'office',
  params: IdParams,
  body: z.object({ reason: line(500, 'Enter a reason') }),
})

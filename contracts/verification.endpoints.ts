import { endpoint } from './endpoint.ts'
import { IdOrSlugParams, IdParams, line, page } from './fields.ts'
import { LicenseState, Verification, VerificationRequest, WaitingVerification } from './verification.ts'
import * as z from './zod.ts'

export const getVerification = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/verification',
  summary: "Read the status of a business's license, for its owner and managers",
  tag: 'Verification',
  access: 'member',
  params: IdOrSlugParams,
  response: LicenseState,
})

export const requestVerification = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/verification',
  summary:
    'Request the verification of a license. This requires a match with the register and proof of control: a code sent to the contact the register lists, or a document that two moderators review.',
  tag: 'Verification',
  access: 'member',
  words: 'moderation',
  params: IdOrSlugParams,
  body: VerificationRequest,
  response: Verification,
  status: 201,
})

export const withdrawVerification = endpoint({
  method: 'DELETE',
  path: '/api/verifications/:id',
  summary: 'Withdraw a pending request',
  tag: 'Verification',
  access: 'member',
  params: IdParams,
})

export const listWaitingVerifications = endpoint({
  method: 'GET',
  path: '/api/verifications/waiting',
  summary: 'List licenses waiting for a decision, oldest first',
  tag: 'Verification',
  access: 'moderator',
  paginated: true,
  query: z.object(page),
  response: z.array(WaitingVerification),
})

export const approveVerification = endpoint({
  method: 'POST',
  path: '/api/verifications/:id/approve',
  summary: 'Approve a license; it is verified once two different people approve',
  tag: 'Verification',
  access: 'moderator',
  params: IdParams,
  response: z.object({ approvals: z.int(), isVerified: z.boolean() }),
})

export const rejectVerification = endpoint({
  method: 'POST',
  path: '/api/verifications/:id/reject',
  summary: 'Reject a license with the reason that the business sees',
  tag: 'Verification',
  access: 'moderator',
  words: 'office',
  params: IdParams,
  body: z.object({ reason: line(500, 'Say why') }),
})

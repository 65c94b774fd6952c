import { endpoint } from './endpoint.ts'
import { IdOrSlugParams, IdParams, line, page } from './fields.ts'
import { LicenseState, Verification, VerificationRequest, WaitingVerification } from './verification.ts'
import * as z from './zod.ts'

export const getVerification = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/verification',
  summary: "Read the status of a business's license (owner and managers only)",
  tag: 'Verification',
  access: 'member',
  params: IdOrSlugParams,
  response: LicenseState,
})

export const requestVerification = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/verification',
  summary:
    "Request verification of a license. If it matches the register, prove control with a code sent to the register's contact or a document reviewed by two moderators. If not, only a document will do.",
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
  summary: 'List licenses awaiting a decision, oldest first',
  tag: 'Verification',
  access: 'moderator',
  paginated: true,
  query: z.object(page),
  response: z.array(WaitingVerification),
})

export const approveVerification = endpoint({
  method: 'POST',
  path: '/api/verifications/:id/approve',
  summary: "Approve a license. It's verified after two different people approve it.",
  tag: 'Verification',
  access: 'moderator',
  params: IdParams,
  response: z.object({ approvals: z.int(), isVerified: z.boolean() }),
})

export const rejectVerification = endpoint({
  method: 'POST',
  path: '/api/verifications/:id/reject',
  summary: 'Reject a license, with a reason for the business',
  tag: 'Verification',
  access: 'moderator',
  words: 'office',
  params: IdParams,
  body: z.object({ reason: line(500, 'Enter a reason') }),
})

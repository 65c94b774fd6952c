import { Correction, CorrectionCase, NewCorrection } from './corrections.ts'
import { endpoint } from './endpoint.ts'
import { IdOrSlugParams, IdParams, page } from './fields.ts'
import * as z from './zod.ts'

const states = z._default(z.enum(['open', 'settled']), 'open')

export const listCorrections = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/corrections',
  summary: 'List the corrections that members suggested for a business, newest first: open ones, or those that changed it',
  tag: 'Corrections',
  access: 'member',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object({ ...page, state: states }),
  response: z.array(Correction),
})

export const suggestCorrection = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/corrections',
  summary: 'Suggest a correction of a business. Returns the open one if it is suggested already, and counts as your agreement.',
  tag: 'Corrections',
  access: 'member',
  words: 'published',
  params: IdOrSlugParams,
  body: NewCorrection,
  response: Correction,
  status: 201,
})

export const voteOnCorrection = endpoint({
  method: 'PUT',
  path: '/api/corrections/:id/vote',
  summary:
    'Say whether a suggested correction is right. If no one runs the business, the first agreement applies it, except that moderators merge duplicates. Idempotent.',
  tag: 'Corrections',
  access: 'member',
  params: IdParams,
  body: z.object({ agrees: z.boolean() }),
  response: Correction,
})

export const withdrawCorrection = endpoint({
  method: 'DELETE',
  path: '/api/corrections/:id',
  summary: 'Withdraw your open correction. Idempotent.',
  tag: 'Corrections',
  access: 'member',
  params: IdParams,
})

export const acceptCorrection = endpoint({
  method: 'POST',
  path: '/api/corrections/:id/accept',
  summary: 'Apply a correction, as the owner, a manager or a moderator; accepting a duplicate merges the two businesses. Idempotent.',
  tag: 'Corrections',
  access: 'member',
  params: IdParams,
  response: Correction,
})

export const rejectCorrection = endpoint({
  method: 'POST',
  path: '/api/corrections/:id/reject',
  summary: 'Reject a correction, as the owner, a manager or a moderator. Idempotent.',
  tag: 'Corrections',
  access: 'member',
  params: IdParams,
  response: Correction,
})

export const listCorrectionCases = endpoint({
  method: 'GET',
  path: '/api/corrections',
  summary: 'List corrections for moderators: open ones, oldest first, or settled ones, newest first',
  tag: 'Corrections',
  access: 'moderator',
  paginated: true,
  query: z.object({ ...page, state: states }),
  response: z.array(CorrectionCase),
})

export const undoCorrection = endpoint({
  method: 'POST',
  path: '/api/corrections/:id/undo',
  summary: 'Restore what a correction replaced; 409 if the listing has changed since. Idempotent.',
  tag: 'Corrections',
  access: 'moderator',
  params: IdParams,
  response: Correction,
})

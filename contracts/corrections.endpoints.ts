import { BusinessSummary } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams, IdParams, line, PhoneOrEmpty, page, WebAddressOrEmpty } from './fields.ts'
import { WeeklyHours } from './locations.ts'
import { Person } from './people.ts'
import { businessPlaceName } from './place-name.ts'
import * as z from './zod.ts'

export const correctionKinds = ['closed', 'open', 'moved', 'phone', 'website', 'hours', 'duplicate'] as const
export type CorrectionKind = (typeof correctionKinds)[number]

/**
 * - `open`: waiting for a second member, the owner or a moderator
 * - `applied`: the listing was changed
 * - `superseded`: another correction of the same kind was applied, or the business was merged into another
 * - `undone`: a moderator restored the previous values
 */
const correctionStates = ['open', 'applied', 'rejected', 'withdrawn', 'superseded', 'undone'] as const

/** Younger accounts can't vote on corrections. */
export const minVoterAgeHours = 24

export const NewCorrection = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('closed') }),
  z.object({ kind: z.literal('open') }),
  /** For a farm, the address is ignored. */
  z.object({ kind: z.literal('moved'), location: businessPlaceName(), address: z._default(line(200), '') }),
  z.object({ kind: z.literal('phone'), phone: PhoneOrEmpty.check(z.minLength(1, 'Phone number is required')) }),
  z.object({ kind: z.literal('website'), website: WebAddressOrEmpty.check(z.minLength(1, 'Website is required')) }),
  z.object({ kind: z.literal('hours'), hours: WeeklyHours }),
  z.object({ kind: z.literal('duplicate'), of: Id }),
])
export type NewCorrection = z.infer<typeof NewCorrection>

export const Correction = z.object({
  id: Id,
  businessId: Id,
  value: NewCorrection,
  /** The other listing of a `duplicate`. Null for other kinds, and once that listing is hidden. */
  duplicateOf: z.nullable(BusinessSummary),
  state: z.enum(correctionStates),
  /** Null while the correction is open, and if it was withdrawn. */
  settledAs: z.nullable(z.enum(['members', 'owner', 'moderators'])),
  settledAt: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
  agreeCount: z.int(),
  disagreeCount: z.int(),
  isYours: z.boolean(),
  yourVote: z.nullable(z.enum(['agree', 'disagree'])),
  abilities: z.object({
    vote: z.boolean(),
    /** Why the viewer can't vote on an open correction; null if they can, or if they wrote it. */
    voteRefusal: z.nullable(z.string()),
    /** Accept or reject, as the business's owner or manager, or a moderator. Accepting a duplicate may require `merge`. */
    settle: z.boolean(),
    /** Accept a duplicate and merge the two businesses, as a moderator or as the owner of both. */
    merge: z.boolean(),
    withdraw: z.boolean(),
  }),
})
export type Correction = z.infer<typeof Correction>

export const CorrectionCase = z.object({
  correction: Correction,
  business: BusinessSummary,
  author: Person,
})
export type CorrectionCase = z.infer<typeof CorrectionCase>

const states = z._default(z.enum(['open', 'settled']), 'open')

export const listCorrections = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/corrections',
  summary: 'List the corrections suggested for a business, newest first: open ones, or those that were applied',
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
  summary: 'Suggest a correction to a business. If someone suggested the same one, returns theirs and counts your agreement.',
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
    'Agree or disagree with a correction. If no one runs the business and no one disagrees, the first agreement applies it, except for a duplicate. Idempotent.',
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
  summary:
    'Apply a correction, as a moderator, the owner or, except for closures and duplicates, a manager. A duplicate is merged. Idempotent.',
  tag: 'Corrections',
  access: 'member',
  params: IdParams,
  /** Which of two duplicates to keep: the `other` listing, which the correction names, or `this` one. */
  body: z._default(z.object({ keep: z._default(z.enum(['other', 'this']), 'other') }), { keep: 'other' }),
  response: Correction,
})

export const rejectCorrection = endpoint({
  method: 'POST',
  path: '/api/corrections/:id/reject',
  summary: 'Reject a correction, as a moderator, the owner or, except for closures and duplicates, a manager. Idempotent.',
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
  summary: 'Restore what a correction replaced. Returns 409 if the listing has changed since. Idempotent.',
  tag: 'Corrections',
  access: 'moderator',
  params: IdParams,
  response: Correction,
})

import { Draft, DraftChange, DraftStatus, NewDraft } from './drafts.ts'
import { endpoint } from './endpoint.ts'
import { IdOrSlug, IdOrSlugParams, IdParams, line, page } from './fields.ts'
import { Post } from './posts.ts'
import * as z from './zod.ts'

export const listDrafts = endpoint({
  method: 'GET',
  path: '/api/drafts',
  summary: "List drafts and scheduled posts, newest first: a business's, or your own",
  tag: 'Drafts',
  access: 'member',
  paginated: true,
  query: z.object({ ...page, business: z.optional(IdOrSlug), status: z.optional(DraftStatus) }),
  response: z.array(Draft),
})

export const createDraft = endpoint({
  method: 'POST',
  path: '/api/drafts',
  summary: 'Save a post as a draft',
  tag: 'Drafts',
  access: 'member',
  words: 'draft',
  idempotent: true,
  body: NewDraft,
  response: Draft,
  status: 201,
})

export const getDraft = endpoint({
  method: 'GET',
  path: '/api/drafts/:id',
  summary: "Read a draft. Returns 404 unless it's yours or you can post for its business.",
  tag: 'Drafts',
  access: 'member',
  params: IdParams,
  response: Draft,
})

export const updateDraft = endpoint({
  method: 'PATCH',
  path: '/api/drafts/:id',
  summary: 'Change a draft',
  tag: 'Drafts',
  access: 'member',
  words: 'draft',
  params: IdParams,
  body: DraftChange,
  response: Draft,
})

export const deleteDraft = endpoint({
  method: 'DELETE',
  path: '/api/drafts/:id',
  summary: 'Delete a draft',
  tag: 'Drafts',
  access: 'member',
  params: IdParams,
})

export const scheduleDraft = endpoint({
  method: 'PUT',
  path: '/api/drafts/:id/schedule',
  summary: 'Schedule or reschedule a draft',
  tag: 'Drafts',
  access: 'member',
  words: 'published',
  rateLimit: 'post',
  params: IdParams,
  body: z.object({ publishAt: z.iso.datetime('Choose a date and time') }),
  response: Draft,
})

export const unscheduleDraft = endpoint({
  method: 'DELETE',
  path: '/api/drafts/:id/schedule',
  summary: 'Unschedule a post and keep it as a draft. Idempotent.',
  tag: 'Drafts',
  access: 'member',
  params: IdParams,
  response: Draft,
})

export const publishDraft = endpoint({
  method: 'POST',
  path: '/api/drafts/:id/publish',
  summary: 'Publish a draft now. The post gets the same ID. Idempotent.',
  tag: 'Drafts',
  access: 'member',
  words: 'published',
  rateLimit: 'post',
  params: IdParams,
  response: Post,
})

export const getBestTimes = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/best-times',
  summary: "Count the likes and comments on a business's posts in the last 90 days, by weekday and hour",
  tag: 'Drafts',
  access: 'member',
  params: IdOrSlugParams,
  /** IANA zone. Defaults to the main location's zone, or UTC if there is none. */
  query: z.object({ timeZone: z.optional(line(64)) }),
  response: z.object({
    timeZone: z.string(),
    /** Likes and comments by people outside the team. */
    reactionCount: z.int(),
    /** Hours with reactions by at least `minPeople` people, most reactions first. Empty below 20 reactions in all. Weekday 0 is Monday. */
    hours: z.array(z.object({ weekday: z.int(), hour: z.int(), reactionCount: z.int() })),
  }),
})

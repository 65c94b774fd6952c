import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlug, IdOrSlugParams, IdParams } from './ids.ts'
import { Media } from './media.ts'
import { page } from './pagination.ts'
import { Person } from './people.ts'
import { placeName } from './place-name.ts'
import { maxMedia, NewPost, Post, PostType } from './posts.ts'
import { line } from './text.ts'

/** `failed`: scheduled but refused when it was due; `error` says why. */
export const DraftStatus = z.enum(['draft', 'scheduled', 'failed'])
export type DraftStatus = z.infer<typeof DraftStatus>

/** An unpublished post, personal or shared by everyone who may post for the business. */
export const Draft = z.object({
  id: Id,
  businessId: z.nullable(Id),
  /** Its permissions apply on publication: the creator, or the last person to schedule it. */
  author: Person,
  title: z.string(),
  content: z.string(),
  postType: PostType,
  isExclusive: z.boolean(),
  media: z.array(Media),
  /** URL of a picture on another site, downloaded on publication; empty if none. */
  imageUrl: z.string(),
  place: z.nullable(z.string()),
  tags: z.array(z.string()),
  status: DraftStatus,
  publishAt: z.nullable(z.iso.datetime()),
  error: z.nullable(z.string()),
  /** Changes with every write. Send it back with an edit; a stale version is rejected (409). */
  version: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Draft = z.infer<typeof Draft>

/** Maximum drafts per business, and per person. */
export const maxDrafts = 100

const { shape } = NewPost

const fields = {
  title: line(160),
  content: line(10_000),
  postType: PostType,
  isExclusive: z.boolean(),
  /** The author's processed uploads and media already attached, in order. */
  mediaIds: z.array(Id).check(z.maxLength(maxMedia, `At most ${maxMedia} pictures and videos`)),
  imageUrl: shape.imageUrl.def.innerType,
  place: placeName(),
  tags: shape.tags.def.innerType,
}

export const NewDraft = z.object({
  title: z._default(fields.title, ''),
  content: z._default(fields.content, ''),
  postType: shape.postType,
  isExclusive: shape.isExclusive,
  mediaIds: shape.mediaIds,
  imageUrl: shape.imageUrl,
  place: shape.place,
  tags: shape.tags,
  /** Null: under the person's own name. */
  businessId: z._default(z.nullable(Id), null),
})
export type NewDraft = z.infer<typeof NewDraft>

export const DraftChange = z.extend(z.partial(z.object(fields)), { version: z.int() })
export type DraftChange = z.infer<typeof DraftChange>

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
  summary: 'Read a draft; 404 unless you can post for its business',
  tag: 'Drafts',
  access: 'member',
  params: IdParams,
  response: Draft,
})

export const changeDraft = endpoint({
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

/** How far ahead a post can be scheduled. */
export const maxDaysAhead = 365

export const scheduleDraft = endpoint({
  method: 'PUT',
  path: '/api/drafts/:id/schedule',
  summary: 'Schedule or reschedule a draft',
  tag: 'Drafts',
  access: 'member',
  words: 'published',
  rateLimit: 'post',
  params: IdParams,
  body: z.object({ publishAt: z.iso.datetime('Choose a day and a time') }),
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
  summary: 'Publish a draft now; the post has its id. Idempotent.',
  tag: 'Drafts',
  access: 'member',
  words: 'published',
  rateLimit: 'post',
  params: IdParams,
  response: Post,
})

/** Minimum total reactions to suggest times, and minimum people in an hour to show that hour. */
export const minReactions = 20
export const minPeople = 5
export const reactionDays = 90

export const getBestTimes = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/best-times',
  summary: "Read when a business's posts got likes and comments in the last 90 days, by weekday and hour",
  tag: 'Drafts',
  access: 'member',
  params: IdOrSlugParams,
  /** IANA zone. Defaults to the main location's, otherwise UTC. */
  query: z.object({ timeZone: z.optional(line(64)) }),
  response: z.object({
    timeZone: z.string(),
    /** Likes and comments by people outside the team. */
    reactionCount: z.int(),
    /** Hours in which enough different people reacted, best first; empty below 20 reactions. Weekday 0 is Monday. */
    hours: z.array(z.object({ weekday: z.int(), hour: z.int(), reactionCount: z.int() })),
  }),
})

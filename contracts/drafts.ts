import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlug, IdOrSlugParams, IdParams } from './ids.ts'
import { Media } from './media.ts'
import { page } from './pagination.ts'
import { Person } from './people.ts'
import { placeName } from './place-name.ts'
import { maxMedia, NewPost, Post, PostType } from './posts.ts'
import { line } from './text.ts'

/** `failed`: it was to go out and was refused; `error` says why. */
export const DraftStatus = z.enum(['draft', 'scheduled', 'failed'])
export type DraftStatus = z.infer<typeof DraftStatus>

/** A post that is not published yet: its writer's own, or of everybody who speaks for the business. */
export const Draft = z.object({
  id: Id,
  businessId: z.nullable(Id),
  /** In whose right it goes out: who began it, or the last one to schedule it. */
  author: Person,
  title: z.string(),
  content: z.string(),
  postType: PostType,
  isExclusive: z.boolean(),
  media: z.array(Media),
  /** A picture elsewhere, fetched when the post goes out; empty without one. */
  imageUrl: z.string(),
  place: z.nullable(z.string()),
  tags: z.array(z.string()),
  status: DraftStatus,
  publishAt: z.nullable(z.iso.datetime()),
  error: z.nullable(z.string()),
  /** Changes with every write; sent back with a change, it refuses one that was made on an older state (409). */
  version: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Draft = z.infer<typeof Draft>

/** Drafts of one business, or of one person's own. */
export const maxDrafts = 100

const { shape } = NewPost

const fields = {
  title: line(160),
  content: line(10_000),
  postType: PostType,
  isExclusive: z.boolean(),
  /** Ready uploads of the writer's own, and those that are on it already, in order. */
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
  /** Null: under the own name. */
  businessId: z._default(z.nullable(Id), null),
})
export type NewDraft = z.infer<typeof NewDraft>

export const DraftChange = z.extend(z.partial(z.object(fields)), { version: z.int() })
export type DraftChange = z.infer<typeof DraftChange>

export const listDrafts = endpoint({
  method: 'GET',
  path: '/api/drafts',
  summary: "Drafts and scheduled posts, newest first: of a business that one speaks for, or else one's own",
  tag: 'Drafts',
  access: 'member',
  paginated: true,
  query: z.object({ ...page, business: z.optional(IdOrSlug), status: z.optional(DraftStatus) }),
  response: z.array(Draft),
})

export const createDraft = endpoint({
  method: 'POST',
  path: '/api/drafts',
  summary: 'Keep a post for later',
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
  summary: 'One draft; 404 for whoever does not speak for its business',
  tag: 'Drafts',
  access: 'member',
  params: IdParams,
  response: Draft,
})

export const changeDraft = endpoint({
  method: 'PATCH',
  path: '/api/drafts/:id',
  summary: 'Change a draft; what is not given stays',
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
  summary: 'Have a draft published at a time, or at another one than before',
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
  summary: 'Keep a scheduled post as a draft; one that is not scheduled stays as it is',
  tag: 'Drafts',
  access: 'member',
  params: IdParams,
  response: Draft,
})

export const publishDraft = endpoint({
  method: 'POST',
  path: '/api/drafts/:id/publish',
  summary: 'Publish a draft now; the post has its id, and publishing it again answers the same post',
  tag: 'Drafts',
  access: 'member',
  words: 'published',
  rateLimit: 'post',
  params: IdParams,
  response: Post,
})

/** Reactions in all below which nothing is said of times, and people in an hour below which that hour is not shown. */
export const leastReactions = 20
export const leastPeople = 5
export const reactionDays = 90

export const getBestTimes = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/best-times',
  summary: "When a business's posts got likes and comments in the last 90 days, by weekday and hour",
  tag: 'Drafts',
  access: 'member',
  params: IdOrSlugParams,
  /** IANA name; by itself, that of the main location, or else UTC. */
  query: z.object({ timeZone: z.optional(line(64)) }),
  response: z.object({
    timeZone: z.string(),
    /** Likes and comments by people outside of the team. */
    reactionCount: z.int(),
    /** The hours in which enough different people reacted, the best first; empty below 20 reactions. Weekday 0 is Monday. */
    hours: z.array(z.object({ weekday: z.int(), hour: z.int(), reactionCount: z.int() })),
  }),
})

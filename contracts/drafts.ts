import { Id, line } from './fields.ts'
import { Media } from './media.ts'
import { Person } from './people.ts'
import { placeName } from './place-name.ts'
import { maxMedia, NewMentions, NewPost, PostType } from './posts.ts'
import * as z from './zod.ts'

/** `failed`: refused at its scheduled time, for the reason in `error`. */
export const DraftStatus = z.enum(['draft', 'scheduled', 'failed'])
export type DraftStatus = z.infer<typeof DraftStatus>

/** An unpublished post: personal, or shared by everyone who may post for the business. */
export const Draft = z.object({
  id: Id,
  businessId: z.nullable(Id),
  /** The creator or, once scheduled, the last person to schedule or change it. Scheduled publication uses this person's permissions. */
  author: Person,
  title: z.string(),
  content: z.string(),
  postType: PostType,
  isExclusive: z.boolean(),
  media: z.array(Media),
  /** URL of a picture on another site, which is downloaded on publication; may be empty. */
  imageUrl: z.string(),
  place: z.nullable(z.string()),
  tags: z.array(z.string()),
  /** Checked only when the post is published. */
  mentions: NewMentions,
  status: DraftStatus,
  publishAt: z.nullable(z.iso.datetime()),
  error: z.nullable(z.string()),
  /** Changes with every write. Send it with an edit; a stale version is rejected (409). */
  version: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Draft = z.infer<typeof Draft>

const { shape } = NewPost

const fields = {
  title: line(160),
  content: line(10_000),
  postType: PostType,
  isExclusive: z.boolean(),
  /** The author's processed uploads and media that are already attached, in order. */
  mediaIds: z.array(Id).check(z.maxLength(maxMedia, `At most ${maxMedia} pictures and videos`)),
  imageUrl: shape.imageUrl.def.innerType,
  place: placeName(),
  tags: shape.tags.def.innerType,
  mentions: NewMentions,
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
  mentions: shape.mentions,
  /** Null publishes under the person's own name. */
  businessId: z._default(z.nullable(Id), null),
})
export type NewDraft = z.infer<typeof NewDraft>

export const DraftChange = z.extend(z.partial(z.object(fields)), { version: z.int() })
export type DraftChange = z.infer<typeof DraftChange>

export const maxDaysAhead = 365

export const minPeople = 5

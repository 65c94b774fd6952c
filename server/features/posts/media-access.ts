import { sql } from 'kysely'
import type { IsForEveryone, MayReadMedia } from '../media/index.ts'
import { isAnyOpen } from './posts.queries.ts'
import { viewerOf } from './viewer.ts'
import { isOpen, readerOf } from './visible-posts.ts'

/** Whether everyone may see a picture or video of a post: the rule that holds for its words. */
export const isPostMediaPublic: IsForEveryone = (postId) => sql<boolean>`exists (
  select from posts left join businesses on businesses.id = posts.business_id where posts.id = ${postId} and ${isOpen(readerOf(null))})`

/** The same for one viewer. */
export const mayReadPostMedia: MayReadMedia = (db, actor, postIds, now) => isAnyOpen(db, viewerOf(actor, now), postIds)

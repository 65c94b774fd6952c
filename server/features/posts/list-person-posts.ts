import type { Post } from '../../../contracts/posts.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { requireVisiblePerson } from '../people/index.ts'
import { idsOf, keyOfPost, type PageQuery } from './list-business-posts.ts'
import { personPostKeys } from './posts.queries.ts'
import { loadPosts } from './read-posts.ts'
import { viewerOf } from './viewer.ts'

/** Newest first. The list belongs to the profile: where that is not public, it is empty for others. @throws AppError not_found */
export async function listPersonPosts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  personId: string,
  page: PageQuery,
): Promise<Page<Post>> {
  const person = await requireVisiblePerson(db, actor.id, personId)
  if (!person.isPublic && !person.isSelf) return { items: [], nextCursor: null }
  const viewer = viewerOf(actor, clock.now())
  const keys = await personPostKeys(db, viewer, personId, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  const { items, nextCursor } = toPage(keys, page.limit, keyOfPost)
  return { items: await loadPosts(db, viewer, idsOf(items)), nextCursor }
}

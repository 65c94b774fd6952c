import type { Post } from '../../../contracts/posts.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { requireBusiness } from '../businesses/index.ts'
import { businessPostKeys, type PostKey } from './posts.queries.ts'
import { loadPosts } from './read-posts.ts'
import { viewerOf } from './viewer.ts'

export type PageQuery = { limit: number; cursor?: string | undefined }

export const keyOfPost = (row: PostKey) => [row.created_at.toISOString(), row.id] as const

/** Newest first. @throws AppError not_found */
export async function listBusinessPosts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor | null,
  idOrSlug: string,
  page: PageQuery,
): Promise<Page<Post>> {
  const business = await requireBusiness(db, idOrSlug, actor?.id ?? null)
  const viewer = viewerOf(actor, clock.now())
  const keys = await businessPostKeys(db, viewer, business.id, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  const { items, nextCursor } = toPage(keys, page.limit, keyOfPost)
  return { items: await loadPosts(db, viewer, idsOf(items)), nextCursor }
}

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id)

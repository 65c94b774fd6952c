import type { Post } from '../../../contracts/posts.ts'
import { type Actor, ageOf } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { requireBusiness } from '../businesses/index.ts'
import { maySeeProducts } from '../jurisdictions/index.ts'
import { maySeeExclusives, postRows } from './posts.queries.ts'
import { toPost } from './posts.view.ts'

type PageQuery = { limit: number; cursor?: string | undefined }

/** Newest first. @throws AppError not_found */
export async function listBusinessPosts(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor | null,
  idOrSlug: string,
  page: PageQuery,
): Promise<Page<Post>> {
  const business = await requireBusiness(ctx.db, idOrSlug)
  const showsProducts = maySeeProducts(ageOf(actor, ctx.clock.now()), business)
  const opensExclusives = actor !== null && (await maySeeExclusives(ctx.db, actor.id, business.id))
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await postRows(ctx.db, { businessId: business.id, showsProducts, opensExclusives, after, limit: page.limit + 1 })
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  return { items: items.map(toPost), nextCursor }
}

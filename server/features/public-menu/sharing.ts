import { randomBytes } from 'node:crypto'
import { sql, type Updateable } from 'kysely'
import type * as z from 'zod/mini'
import type { Product } from '#contracts/menus.ts'
import { type MenuSharing, SharedItem } from '#contracts/public-menu.endpoints.ts'
import { menuPath } from '#contracts/visitor-pages.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { requireMenuEditor } from '#server/features/menus/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidInput } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'config'>

/** @throws AppError not_found, forbidden, age_restricted about the business */
export async function getSharing(ctx: Ctx, actor: Actor, idOrSlug: string): Promise<MenuSharing> {
  const business = await requireMenuEditor(ctx.db, actor, idOrSlug, ctx.clock.now())
  return toSharing(ctx, business.slug, await sharingOf(ctx.db, business.id))
}

/** @throws AppError not_found, forbidden, age_restricted about the business */
export const setEmbed = (ctx: Ctx, actor: Actor, idOrSlug: string, isEmbedOn: boolean): Promise<MenuSharing> =>
  change(ctx, actor, idOrSlug, async (tx, businessId) =>
    saveSharing(tx, businessId, { is_embed_on: isEmbedOn, updated_at: ctx.clock.now() }),
  )

/** Creates a feed unless one exists. @throws AppError not_found, forbidden, age_restricted about the business */
export const openFeed = (ctx: Ctx, actor: Actor, idOrSlug: string): Promise<MenuSharing> =>
  change(ctx, actor, idOrSlug, (tx, businessId) => addToken(tx, businessId, newToken(), ctx.clock.now()))

/** The old address stops working. @throws AppError not_found, forbidden, age_restricted about the business; idempotency_mismatch */
export const rotateFeed = (ctx: Ctx, actor: Actor, idOrSlug: string, idempotency: IdempotencyKey | null): Promise<MenuSharing> =>
  change(
    ctx,
    actor,
    idOrSlug,
    async (tx, businessId) => saveSharing(tx, businessId, { feed_token: newToken(), updated_at: ctx.clock.now() }),
    idempotency,
  )

/** @throws AppError not_found, forbidden, age_restricted about the business */
export const closeFeed = (ctx: Ctx, actor: Actor, idOrSlug: string): Promise<MenuSharing> =>
  change(ctx, actor, idOrSlug, async (tx, businessId) => saveSharing(tx, businessId, { feed_token: null, updated_at: ctx.clock.now() }))

async function change(
  ctx: Ctx,
  actor: Actor,
  idOrSlug: string,
  write: (tx: Tx, businessId: string) => Promise<unknown>,
  idempotency: IdempotencyKey | null = null,
): Promise<MenuSharing> {
  return inTransaction(ctx.db, async (tx) => {
    const business = await requireMenuEditor(tx, actor, idOrSlug, ctx.clock.now(), { lock: true })
    // The address isn't stored with the response: a repeated request reads the current one.
    await once(tx, actor.id, idempotency, ctx.clock.now(), async () => {
      await write(tx, business.id)
      return {}
    })
    return toSharing(ctx, business.slug, await sharingOf(tx, business.id))
  })
}

/** 192 bits, so that it can't be guessed. */
const newToken = () => randomBytes(24).toString('base64url')

export const tokenPattern = /^[A-Za-z0-9_-]{32}$/

function toSharing({ config }: Ctx, slug: string, sharing: Awaited<ReturnType<typeof sharingOf>>): MenuSharing {
  const { publicUrl } = config
  const codeUrl = `${publicUrl}/business/${slug}/qr`
  return {
    isEmbedOn: sharing?.is_embed_on ?? false,
    snippet: `<div data-embedded-menu="${slug}"></div>\n<script src="${publicUrl}/embed/menu.js" async></script>`,
    embedUrl: `${publicUrl}/embed/menu/${slug}`,
    feedUrl: sharing?.feed_token ? `${publicUrl}/feeds/menus/${sharing.feed_token}.json` : null,
    pageUrl: publicUrl + menuPath(slug),
    qrSvgUrl: `${codeUrl}.svg`,
    qrPdfUrl: `${codeUrl}.pdf`,
  }
}

export function readQuery<Schema extends z.ZodMiniType>(schema: Schema, query: unknown): z.output<Schema> {
  const result = schema.safeParse(query ?? {})
  if (!result.success) throw invalidInput(result.error.issues)
  return result.data
}

/** Copies only declared fields, so that picture URLs and subscriber prices can't leak. */
export const toSharedItem = (product: Product): SharedItem => SharedItem.parse(product)

const sharingOf = (db: Db, businessId: string) =>
  db.selectFrom('menu_sharing').select(['is_embed_on', 'feed_token']).where('business_id', '=', businessId).executeTakeFirst()

const saveSharing = (tx: Tx, businessId: string, changes: Updateable<DB['menu_sharing']>) =>
  tx
    .insertInto('menu_sharing')
    .values({ ...changes, business_id: businessId })
    .onConflict((conflict) => conflict.column('business_id').doUpdateSet(changes))
    .execute()

/** Keeps an existing token, even if two requests add one at the same time. */
const addToken = (tx: Tx, businessId: string, token: string, now: Date) =>
  tx
    .insertInto('menu_sharing')
    .values({ business_id: businessId, feed_token: token, updated_at: now })
    .onConflict((conflict) =>
      conflict.column('business_id').doUpdateSet({ feed_token: token, updated_at: now }).where('menu_sharing.feed_token', 'is', null),
    )
    .execute()

const businessColumns = [
  'businesses.id',
  'businesses.slug',
  'businesses.name',
  'businesses.type',
  'businesses.location',
  'businesses.country',
  'businesses.state',
  'businesses.closure',
] as const

/** Includes a merged business's old slug, which other sites may still embed or link to. */
const isNamed = (slug: string) =>
  sql<boolean>`(businesses.slug = ${slug}
    or businesses.id = (select business_id from business_redirects where business_redirects.slug = ${slug}))`

export type SharedBusiness = NonNullable<Awaited<ReturnType<typeof embeddedBusiness>>>

export const embeddedBusiness = (db: Db, slug: string) =>
  db
    .selectFrom('businesses')
    .innerJoin('menu_sharing', 'menu_sharing.business_id', 'businesses.id')
    .select(businessColumns)
    .where(isNamed(slug))
    .where('businesses.moderation', 'is', null)
    .where('menu_sharing.is_embed_on', '=', true)
    .executeTakeFirst()

export const businessOfFeed = (db: Db, token: string) =>
  db
    .selectFrom('businesses')
    .innerJoin('menu_sharing', 'menu_sharing.business_id', 'businesses.id')
    .select(businessColumns)
    .where('menu_sharing.feed_token', '=', token)
    .where('businesses.moderation', 'is', null)
    .executeTakeFirst()

/** Includes the street address, which the card of a farm must not show. */
export const businessOnCard = (db: Db, slug: string) =>
  db
    .selectFrom('businesses')
    .select(['slug', 'name', 'type', 'address', 'location'])
    .where(isNamed(slug))
    .where('moderation', 'is', null)
    .executeTakeFirst()

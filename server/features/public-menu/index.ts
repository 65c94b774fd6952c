import * as z from 'zod/mini'
import { Id, line } from '#contracts/fields.ts'
import type { Location } from '#contracts/locations.ts'
import { menuSorts } from '#contracts/menu-fields.rules.ts'
import { ProductCategory, StrainType } from '#contracts/menu-fields.ts'
import type { Product } from '#contracts/menus.ts'
import * as contract from '#contracts/public-menu.endpoints.ts'
import type { ItemContent, MenuContent } from '#contracts/visitor-pages.ts'
import { getShownBusiness } from '#server/features/businesses/index.ts'
import { loadLocations } from '#server/features/locations/index.ts'
import { menuPage, menuProduct, menuSummary } from '#server/features/menus/index.ts'
import { shownExtras } from '#server/features/page-extras/index.ts'
import { cityPage } from '#server/features/places/index.ts'
import { pathOfStrain } from '#server/features/strains/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { registerEmbed, registerMenuFeed } from './embed.ts'
import { registerQrCodes } from './qr-codes.ts'
import { closeFeed, getSharing, openFeed, rotateFeed, setEmbed } from './sharing.ts'

export { businessData, listedData, menuData } from './business-data.ts'

export function registerPublicMenu(api: Api): void {
  route(api, contract.getMenuSharing, ({ ctx, actor, params }) => getSharing(ctx, actor, params.id))
  route(api, contract.saveMenuSharing, ({ ctx, actor, params, body }) => setEmbed(ctx, actor, params.id, body.isEmbedOn))
  route(api, contract.openMenuFeed, ({ ctx, actor, params }) => openFeed(ctx, actor, params.id))
  route(api, contract.rotateMenuFeed, ({ ctx, actor, params, idempotency }) => rotateFeed(ctx, actor, params.id, idempotency))
  route(api, contract.closeMenuFeed, ({ ctx, actor, params }) => closeFeed(ctx, actor, params.id))
  registerMenuFeed(api)
  registerEmbed(api)
  registerQrCodes(api)
}

/** A checked box in a form; every other value counts as not checked. */
const checked = () =>
  z.pipe(
    z.transform((value: unknown) => (value === 'true' || value === 'on' ? (true as const) : undefined)),
    z.optional(z.literal(true)),
  )

/** Ignores invalid parameters: people type addresses, and old links remain in use. */
const Query = z.object({
  q: z.catch(z.optional(line(120)), undefined),
  category: z.catch(z.optional(ProductCategory), undefined),
  strainType: z.catch(z.optional(StrainType), undefined),
  inStock: z.optional(checked()),
  onSale: z.optional(checked()),
  location: z.catch(z.optional(Id), undefined),
  sort: z.catch(z.optional(z.enum(menuSorts)), undefined),
  cursor: z.catch(z.optional(z.string()), undefined),
})

/** Ignores locations that the business doesn't have or no longer has. */
function queryAt(locations: readonly Location[], query: unknown) {
  const values = Query.parse(query)
  if (!locations.some(({ id }) => id === values.location)) delete values.location
  return values
}

const itemsPerPage = 48

type Viewer = Pick<MenuContent, 'device'> & {
  /** In whole years: the account's or, if that is unknown, the confirmed one. */
  age: number | null
  isAgeKnown: boolean
}

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * A business's public page. It has the menu if the viewer is old enough and the business isn't closed.
 * @throws AppError not_found; invalid_input for a cursor of another list
 */
export async function readMenuPage(ctx: Ctx, slug: string, query: unknown, viewer: Viewer): Promise<MenuContent> {
  const { isOldEnough, ...shop } = await readShop(ctx, slug, viewer)
  const { cursor, ...filter } = queryAt(shop.locations, query)
  // The page's form sends its search field even if it's empty.
  if (filter.q === '') delete filter.q
  return {
    kind: 'menu',
    ...shop,
    // Prices don't apply while the business is closed.
    menu: isOldEnough && shop.business.closure === null ? await readMenu(ctx, shop.business.id, { ...filter, cursor }) : null,
    filter: { ...filter, cursor },
    place: cityPage(shop.business.city, shop.business.state),
    extras: await shownExtras(ctx.db, shop.business.id, ctx.clock.now()),
  }
}

/** Viewers who aren't old enough don't learn whether the item exists. @throws AppError not_found */
export async function readItemPage(
  ctx: Ctx,
  { slug, id }: Pick<ItemContent, 'id'> & { slug: string },
  query: unknown,
  viewer: Viewer,
): Promise<ItemContent> {
  const { isOldEnough, ...shop } = await readShop(ctx, slug, viewer)
  if (shop.business.closure) throw notFound('This business is closed, so its menu isn’t shown.')
  const { location } = queryAt(shop.locations, query)
  const isKnownId = isOldEnough && Id.safeParse(id).success
  const product = isKnownId ? await menuProduct(ctx.db, shop.business.id, id, location ?? null, ctx.clock.now()) : null
  if (isOldEnough && !product) throw notFound('This item is no longer on the menu.')
  const strainPath = product?.strain ? pathOfStrain(product.strain, shop.business) : null
  return { kind: 'item', id, location, ...shop, product: product && forVisitors(product), strainPath }
}

async function readShop({ db, clock }: Ctx, slug: string, { age, isAgeKnown, device }: Viewer) {
  const now = clock.now()
  const found = await getShownBusiness(db, slug, now)
  // Farms never show a street address, whatever the row contains.
  const hidden = found.type === 'farm' ? { address: null } : {}
  const business = { ...found, ...hidden }
  const locations = (await loadLocations(db, business.id, now)).map((location) => ({ ...location, ...hidden }))
  return { business, locations, isAgeKnown, device, isOldEnough: age !== null && age >= business.productAge.minimumAge }
}

async function readMenu({ db, clock }: Ctx, businessId: string, filter: MenuContent['filter']): Promise<MenuContent['menu']> {
  const now = clock.now()
  const [summary, { items, nextCursor }] = await Promise.all([
    menuSummary(db, businessId, filter.location ?? null, now),
    menuPage(db, businessId, { ...filter, limit: itemsPerPage }, now),
  ])
  return { ...summary, items: items.map(forVisitors), nextCursor }
}

/** Pictures and certificates are for people with an account: see docs/decisions/014-age-outside-of-accounts.md. */
const forVisitors = (product: Product): Product => ({ ...product, image: null, imageUrl: null, certificateUrl: null })

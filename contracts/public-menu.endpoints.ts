import { endpoint } from './endpoint.ts'
import { BusinessTypeSchema, Id, IdOrSlugParams } from './fields.ts'
import { menuShape, sharedItemFields, sharedVariantFields } from './menu-fields.ts'
import { Product } from './menus.ts'
import * as z from './zod.ts'

/** Where else a menu is available besides the business's page. */
export const MenuSharing = z.object({
  isEmbedOn: z.boolean(),
  snippet: z.string(),
  embedUrl: z.string(),
  /** Null if there is no feed. The URL is a secret that grants access to the menu. */
  feedUrl: z.nullable(z.string()),
  /** The public menu, which the QR code links to. */
  pageUrl: z.string(),
  qrSvgUrl: z.string(),
  qrPdfUrl: z.string(),
})
export type MenuSharing = z.infer<typeof MenuSharing>

/** A menu item as other sites show it, without pictures and subscriber prices. */
export const SharedItem = z.object({
  id: Id,
  ...menuShape('value', sharedItemFields),
  variants: z.array(z.object({ id: Id, ...menuShape('value', sharedVariantFields) })),
  ...z.pick(Product, { price: true, isAvailable: true, isOnSale: true, currency: true, isTaxIncluded: true, confirmedAt: true }).shape,
})
export type SharedItem = z.infer<typeof SharedItem>

/** Response of `GET /feeds/menus/{token}.json`. */
export const MenuFeed = z.object({
  /** Since version 2, weights and prices are on an item's variants. */
  version: z.literal(2),
  business: z.object({ id: Id, name: z.string(), type: BusinessTypeSchema, location: z.nullable(z.string()), url: z.string() }),
  /** Sites that show the items must check this age first and hide them from anyone younger. */
  minimumAge: z.int(),
  ageRule: z.string(),
  ageSource: z.string(),
  items: z.array(SharedItem),
  /** URL of the next page; null on the last one. */
  next: z.nullable(z.string()),
})
export type MenuFeed = z.infer<typeof MenuFeed>

export const getMenuSharing = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu-sharing',
  summary: "Read where a menu is published outside the business's page",
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  response: MenuSharing,
})

export const saveMenuSharing = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/menu-sharing',
  summary: 'Allow or disallow embedding the menu on other sites',
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  body: z.object({ isEmbedOn: z.boolean() }),
  response: MenuSharing,
})

export const openMenuFeed = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/menu-feed',
  summary: 'Publish the menu as a feed for other programs. Idempotent.',
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  response: MenuSharing,
})

export const rotateMenuFeed = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/menu-feed/rotations',
  summary: "Reset the feed's address; the old one stops working",
  tag: 'Menus',
  access: 'member',
  idempotent: true,
  params: IdOrSlugParams,
  response: MenuSharing,
})

export const closeMenuFeed = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/menu-feed',
  summary: 'Remove the menu feed. Idempotent.',
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  response: MenuSharing,
})

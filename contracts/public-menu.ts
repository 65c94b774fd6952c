import * as z from 'zod/mini'
import { BusinessTypeSchema } from './business-type-schema.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams } from './ids.ts'
import { Product } from './menus.ts'

/** Where a menu is shown besides the business's page. */
export const MenuSharing = z.object({
  isEmbedOn: z.boolean(),
  /** What goes into another site's page, wherever the menu is to stand. */
  snippet: z.string(),
  /** The page that the snippet shows in a frame. */
  embedUrl: z.string(),
  /** Null while there is no feed. Whoever knows it can read the menu. */
  feedUrl: z.nullable(z.string()),
  /** The business's page, which the QR code leads to. */
  pageUrl: z.string(),
  qrSvgUrl: z.string(),
  qrPdfUrl: z.string(),
})
export type MenuSharing = z.infer<typeof MenuSharing>

export const getMenuSharing = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu-sharing',
  summary: "Where a menu is shown besides the business's page",
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  response: MenuSharing,
})

export const saveMenuSharing = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/menu-sharing',
  summary: 'Let other sites show the menu in a frame, or stop that',
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  body: z.object({ isEmbedOn: z.boolean() }),
  response: MenuSharing,
})

export const openMenuFeed = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/menu-feed',
  summary: 'Publish the menu as a feed for other programs; one that is there stays as it is',
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  response: MenuSharing,
})

export const rotateMenuFeed = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/menu-feed/rotations',
  summary: 'Give the feed another address; the old one answers nothing from now on',
  tag: 'Menus',
  access: 'member',
  idempotent: true,
  params: IdOrSlugParams,
  response: MenuSharing,
})

export const closeMenuFeed = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/menu-feed',
  summary: 'Take the feed away; where there is none, nothing changes',
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  response: MenuSharing,
})

/** An item of a menu as it is shown outside of the site: without pictures and members' prices, which are for people who are known here. */
export const SharedItem = z.pick(Product, {
  id: true,
  name: true,
  price: true,
  currency: true,
  isTaxIncluded: true,
  description: true,
  category: true,
  strain: true,
  brand: true,
  thc: true,
  cbd: true,
  potencyUnit: true,
  weight: true,
  weightUnit: true,
  isAvailable: true,
  confirmedAt: true,
})
export type SharedItem = z.infer<typeof SharedItem>

/** What `GET /feeds/menus/{token}.json` answers. */
export const MenuFeed = z.object({
  version: z.literal(1),
  business: z.object({ id: Id, name: z.string(), type: BusinessTypeSchema, location: z.nullable(z.string()), url: z.string() }),
  /** Whoever shows the items must first have asked for this age, and kept it from everybody younger. */
  minimumAge: z.int(),
  ageRule: z.string(),
  ageSource: z.string(),
  items: z.array(SharedItem),
  /** The next page; null on the last one. */
  next: z.nullable(z.string()),
})
export type MenuFeed = z.infer<typeof MenuFeed>

import { endpoint } from './endpoint.ts'
import { IdOrSlugParams } from './fields.ts'
import { MenuSharing } from './public-menu.ts'
import * as z from './zod.ts'

export const getMenuSharing = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu-sharing',
  summary: "Read where a menu is shown besides the business's page",
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  response: MenuSharing,
})

export const saveMenuSharing = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/menu-sharing',
  summary: 'Allow other sites to embed the menu, or stop that',
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

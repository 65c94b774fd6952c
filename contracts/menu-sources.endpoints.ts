import { endpoint } from './endpoint.ts'
import { IdOrSlugParams } from './fields.ts'
import { MenuSource, NewMenuSource } from './menu-sources.ts'
import * as z from './zod.ts'

const Answer = z.object({ source: z.nullable(MenuSource) })

export const getMenuSource = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu-source',
  summary: 'Read the address that a menu is fetched from, and what the last fetch did',
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  response: Answer,
})

export const saveMenuSource = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/menu-source',
  summary: 'Fetch the menu from an address: a CSV or Excel file, or JSON as the integrations accept it. Fetches it at once.',
  tag: 'Menus',
  access: 'member',
  words: 'account',
  params: IdOrSlugParams,
  body: NewMenuSource,
  response: Answer,
})

export const fetchMenuSource = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/menu-source/fetches',
  summary: 'Fetch the menu now, and resume fetching if it was stopped. Idempotent.',
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
  response: Answer,
  status: 202,
})

export const deleteMenuSource = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/menu-source',
  summary: 'Stop fetching a menu and forget its address. The menu stays. Idempotent.',
  tag: 'Menus',
  access: 'member',
  params: IdOrSlugParams,
})

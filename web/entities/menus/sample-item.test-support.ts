import type { MenuField } from '#contracts/menu-fields.ts'
import type { MenuItem } from '#contracts/menus.ts'
import { menuFieldKeys } from './menu-fields.ts'

export const menuItem = (changes: Partial<MenuItem> = {}): MenuItem => ({
  id: '019ab000-0000-7000-8000-000000000001',
  ...(Object.fromEntries(menuFieldKeys.map((key) => [key, null])) as Record<MenuField, null>),
  name: 'Blue Dream',
  price: '35.00',
  certificateId: null,
  certificateUrl: null,
  image: null,
  isAvailable: true,
  offers: [],
  confirmedAt: '2026-11-21T12:00:00.000Z',
  updatedAt: '2026-11-21T12:00:00.000Z',
  version: 1,
  ...changes,
})

import type { ItemField, VariantField } from '#contracts/menu-fields.ts'
import type { MenuItem, MenuVariant } from '#contracts/menus.ts'
import { itemFieldKeys, variantFieldKeys } from './menu-fields.ts'

export const menuVariant = (changes: Partial<MenuVariant> = {}): MenuVariant => ({
  id: '019ab000-0000-7000-8000-0000000000a1',
  ...(Object.fromEntries(variantFieldKeys.map((key) => [key, null])) as Record<VariantField, null>),
  price: '35.00',
  isAvailable: true,
  offers: [],
  ...changes,
})

export const menuItem = (changes: Partial<MenuItem> = {}): MenuItem => ({
  id: '019ab000-0000-7000-8000-000000000001',
  ...(Object.fromEntries(itemFieldKeys.map((key) => [key, null])) as Record<ItemField, null>),
  name: 'Blue Dream',
  variants: [menuVariant()],
  certificateId: null,
  certificateUrl: null,
  image: null,
  confirmedAt: '2026-11-21T12:00:00.000Z',
  updatedAt: '2026-11-21T12:00:00.000Z',
  version: 1,
  ...changes,
})

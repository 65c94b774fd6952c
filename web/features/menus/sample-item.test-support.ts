import type { MenuItem } from '../../../contracts/menus.ts'

/** An item for tests. */
export const menuItem = (changes: Partial<MenuItem> = {}): MenuItem => ({
  id: '019ab000-0000-7000-8000-000000000001',
  name: 'Blue Dream',
  sku: null,
  price: '35.00',
  memberPrice: null,
  description: null,
  category: null,
  strain: null,
  brand: null,
  thc: null,
  cbd: null,
  potencyUnit: null,
  weight: null,
  weightUnit: null,
  batch: null,
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

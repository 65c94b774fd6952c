import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { productCategories } from '#contracts/menu-fields.rules.ts'
import { drawProduct, ProductPicture } from './product-picture.tsx'

const ids = Array.from({ length: 60 }, (_, index) => `0198c3a${index.toString(16).padStart(4, '0')}-7d2e`)
const product = { id: 'a', name: 'House blend', category: null, subcategory: null }
const drawn = (changes: Partial<Parameters<typeof drawProduct>[0]>) => JSON.stringify(drawProduct({ ...product, ...changes }))

test('draws the same picture for the same ID', () => {
  for (const category of productCategories) expect(drawn({ category })).toBe(drawn({ category }))
})

test('draws each category differently', () => {
  const forms = productCategories.map((category) => JSON.stringify(drawProduct({ ...product, category }).paths.slice(4)))
  expect(new Set(forms).size).toBe(productCategories.length)
  expect(drawn({ category: null })).toBe(drawn({ category: 'Other' }))
})

test.each([
  ['Edibles', 'Dark chocolate bar', 'Gummies'],
  ['Edibles', 'Chewy cookie', 'Dark chocolate bar'],
  ['Vapes', 'Disposable pen', '510 cartridge'],
  ['Topicals', 'Cooling balm', 'Body lotion'],
  ['Seeds & Clones', 'Feminized seeds', 'Rooted clone'],
] as const)('draws %s differently by name: %s and %s', (category, one, other) => {
  expect(drawn({ category, name: one })).not.toBe(drawn({ category, name: other }))
  expect(drawn({ category, subcategory: one })).toBe(drawn({ category, name: one }))
})

test('varies the drawings of a category', () => {
  for (const category of productCategories) {
    expect(new Set(ids.map((id) => drawn({ id, category }))).size, category).toBeGreaterThan(ids.length * 0.75)
  }
})

test('keeps every drawing under 2 KB and hides it from screen readers', () => {
  for (const category of productCategories) {
    for (const id of ids) {
      const html = renderToStaticMarkup(createElement(ProductPicture, { product: { ...product, id, category, image: null } }))
      expect(html.length, category).toBeLessThan(2048)
      expect(html).toContain('aria-hidden="true"')
      for (const { d } of drawProduct({ ...product, id, category }).paths) expect(d).toMatch(/^[MLHVCQATZmlhvcqatz\d. -]+$/)
    }
  }
})

import { expect, test } from 'vitest'
import { makeBrand } from './brand.ts'

const settings = { name: 'Sungrove', supportEmail: 'help@sungrove.example', year: 2026 }

test('has the specified tagline and a copyright from 2024', () => {
  expect(makeBrand(settings)).toMatchObject({
    tagline: 'Where Cannabis Excellence Shines',
    slug: 'sungrove',
    copyright: '© 2024–2026 Sungrove. All rights reserved.',
  })
})

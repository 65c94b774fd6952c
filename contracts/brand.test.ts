import fs from 'node:fs'
import { expect, test } from 'vitest'
import { hasOwnAddress, makeBrand } from './brand.ts'

const settings = { name: 'Sungrove', supportEmail: 'help@sungrove.example', year: 2026 }

test('has the specified tagline and a copyright from 2024', () => {
  expect(makeBrand(settings)).toMatchObject({
    tagline: 'Where Cannabis Excellence Shines',
    slug: 'sungrove',
    copyright: '© 2024–2026 Sungrove. All rights reserved.',
  })
})

test('finds names whose page would have no address of its own', () => {
  expect(['Sungrove', 'Hill & Row', 'Büro 5', 'Help Desk'].filter(hasOwnAddress)).toHaveLength(4)
  expect(['緑', '', 'Help', 'Pheno Hunt', 'API'].filter(hasOwnAddress)).toEqual([])
  const screens = fs.readdirSync(new URL('../web/routes', import.meta.url)).map((file) => /^[a-z-]+/.exec(file)?.[0] ?? '')
  expect(screens.filter((screen) => /^[a-z]/.test(screen) && hasOwnAddress(screen))).toEqual([])
})

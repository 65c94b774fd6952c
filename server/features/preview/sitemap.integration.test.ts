import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { previewedBusiness } from './index.ts'
import { sitemapRows, sitemapStarts } from './sitemap.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
  const rows = Array.from({ length: 25 }, (_, i) => ({
    id: newId(),
    slug: `shop-${i}`,
    name: `Shop ${i}`,
    type: 'dispensary' as const,
    is_demo: i === 7,
    moderation: i === 9 ? ('hidden' as const) : null,
  }))
  await t.db.insertInto('businesses').values(rows).execute()
})
afterAll(() => t.close())

test('lists each business once, except demo and hidden ones, for any sitemap size', async () => {
  for (const size of [1, 4, 23, 24]) {
    const starts = await sitemapStarts(t.db, size)
    expect(starts).toHaveLength(Math.ceil(23 / size))
    const slugs: string[] = []
    for (const from of starts) slugs.push(...(await sitemapRows(t.db, from, size, false)).map(({ slug }) => slug))
    expect(new Set(slugs).size).toBe(23)
    expect(slugs).toHaveLength(23)
  }
})

test('previews a farm with only its city and state, whatever location its owner entered', async () => {
  const farm = { type: 'farm' as const, name: 'Far Field', location: '12 Hidden Lane, Hood River, OR' }
  await t.db
    .insertInto('businesses')
    .values([
      { ...farm, id: newId(), slug: 'far-field', city: 'Hood River', state: 'OR' },
      { ...farm, id: newId(), slug: 'nowhere-field', city: null },
    ])
    .execute()
  expect(await previewedBusiness(t.db, 'far-field')).toMatchObject({ city: 'Hood River, OR' })
  expect(await previewedBusiness(t.db, 'nowhere-field')).toMatchObject({ city: null })
})

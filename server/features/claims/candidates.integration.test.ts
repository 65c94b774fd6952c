import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { ratedBy } from '#tests/support/businesses.ts'
import { addListing } from '#tests/support/listings.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let t: TestApp

beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

describe('the list of candidates', () => {
  const find = async (query: Record<string, string>) =>
    (
      (await t.request('GET', `/api/claims/candidates?${new URLSearchParams(query)}`, null)).json() as {
        business: BusinessSummary
        matchedBy: string
      }[]
    ).map(({ business, matchedBy }) => `${matchedBy} ${business.slug}`)

  it('finds a license number in any spelling', async () => {
    const named = await addListing(t.db, { name: 'Cedar Door', number: 'C11-0000123' })
    const found = [`license ${named.slug}`]
    expect(await find({ licenseNumber: ' c11 0000123 ' })).toEqual(found)
    expect(await find({ licenseNumber: 'C11-0000123', state: 'co' })).toEqual(found)
    expect(await find({ licenseNumber: 'C11-0000123', state: 'OR' })).toEqual([])
    expect(await find({ licenseNumber: 'C11' })).toEqual([])
  })

  it('finds a name and place, ignoring common words', async () => {
    const named = await addListing(t.db, { name: 'Juniper Lantern Cannabis LLC', city: 'Boulder' })
    const found = [`name ${named.slug}`]
    expect(await find({ name: 'juniper lantern', place: 'Boulder, CO' })).toEqual(found)
    expect(await find({ name: 'The Juniper Lantern Dispensary, Inc.', place: '80302' })).toEqual(found)
    expect(await find({ name: 'Juniper Lantern', place: 'Portland, OR' })).toEqual([])
    expect(await find({ name: 'Juniper Lantern' })).toEqual([])
    expect(await find({ name: 'The Dispensary', place: 'Boulder, CO' })).toEqual([])
  })

  it('finds the exact name in the state when the place isn’t a listed city', async () => {
    const named = await addListing(t.db, { name: 'Marmot Pail', city: 'Boulder' })
    expect(await find({ name: 'Marmot Pail LLC', place: 'Elk Ridge Borough, CO' })).toEqual([`name ${named.slug}`])
    expect(await find({ name: 'marmot', place: 'Elk Ridge Borough, CO' })).toEqual([])
    expect(await find({ name: 'marmot pail', place: 'Elk Ridge Borough, OR' })).toEqual([])
  })

  it('begins with an exact name in the exact city, whatever its ratings', async () => {
    const longer = await addListing(t.db, { name: 'Larkspur Dab House', city: 'Denver' })
    const elsewhere = await addListing(t.db, { name: 'Larkspur Dab', city: 'Aurora' })
    const exact = await addListing(t.db, { name: 'Larkspur Dab', city: 'Broomfield' })
    await t.db
      .updateTable('businesses')
      .set(ratedBy(1, 0, 0, 0, 0))
      .where('id', '=', exact.id)
      .execute()
    await t.db
      .updateTable('businesses')
      .set(ratedBy(0, 0, 0, 0, 9))
      .where('id', '=', longer.id)
      .execute()
    const found = await find({ name: 'Larkspur Dab LLC', place: 'Broomfield, CO' })
    expect(found[0]).toBe(`name ${exact.slug}`)
    expect([...found].sort()).toEqual([longer, elsewhere, exact].map(({ slug }) => `name ${slug}`).sort())
    expect((await find({ name: 'larkspur dab', place: '80202' }))[0]).not.toBe(`name ${exact.slug}`)
  })

  it('has at most five listings, none claimed or fictional', async () => {
    for (let count = 0; count < 7; count++) await addListing(t.db, { name: `Wicker Moon ${count}`, number: '77-WICKER' })
    expect(await find({ name: 'Wicker Moon', place: 'Denver, CO', licenseNumber: '77 wicker' })).toHaveLength(5)
    await t.db.updateTable('businesses').set({ claimed_at: t.clock.now() }).where('name', 'like', 'Wicker Moon%').execute()
    await t.db.updateTable('businesses').set({ claimed_at: null, is_demo: true }).where('name', '=', 'Wicker Moon 1').execute()
    expect(await find({ name: 'Wicker Moon', place: 'Denver, CO', licenseNumber: '77 wicker' })).toEqual([])
  })
})

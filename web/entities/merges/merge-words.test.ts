import { expect, it } from 'vitest'
import type { MergePreview } from '#contracts/merges.endpoints.ts'
import { mergeEffects } from './merge-dialog.tsx'

const none = {
  followers: 0,
  subscribers: 0,
  favorites: 0,
  reviews: 0,
  reviewsTakenOff: 0,
  posts: 0,
  photos: 0,
  licenses: 0,
  menuItems: 0,
  conversations: 0,
}
const effects = (counts: Partial<MergePreview['counts']>, losesMenu = false) =>
  mergeEffects({ from: { name: 'Old' }, into: { name: 'New' }, obstacle: null, counts: { ...none, ...counts }, losesMenu } as MergePreview)

it('lists only the data that will move', () => {
  expect(effects({})[0]).toContain('New keeps its name')
  expect(effects({ followers: 1, reviews: 2, menuItems: 3 })[0]).toMatch(
    /^New will get 1 follower, 2 reviews,? and 3 menu items from Old\./,
  )
})

it('lists the data that will be lost', () => {
  const lines = effects({ reviews: 2, reviewsTakenOff: 1, menuItems: 3 }, true)
  expect(lines[0]).not.toContain('menu')
  expect(lines[1]).toContain('1 review will no longer be shown, because its author')
  expect(lines[2]).toBe('The menu of Old will be deleted, because New has one.')
})

it('tells shops of the same name apart', () => {
  const linksOf = (from: object, into: object) => {
    const preview = { from: { name: 'JARS', ...from }, into: { name: 'JARS', ...into }, obstacle: null, counts: none, losesMenu: false }
    return mergeEffects(preview as unknown as MergePreview)[1]
  }
  const [denver, aurora] = [{ location: 'Denver, CO' }, { location: 'Aurora, CO' }]
  expect(linksOf(denver, aurora)).toBe('Links to JARS, Denver, CO will redirect to JARS, Aurora, CO.')
  expect(linksOf({ ...denver, address: '1 Pine St' }, { ...denver, address: null })).toBe('Links to JARS, 1 Pine St will redirect to JARS.')
  expect(linksOf(denver, denver)).toBe('Links to JARS (removed) will redirect to JARS (kept).')
})

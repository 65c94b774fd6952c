import { expect, it, vi } from 'vitest'
import type { MenuContent } from '#contracts/visitor-pages.ts'

vi.mock('#web/lib/boot.ts', () => ({
  boot: { user: null, answers: [], map: { tileUrl: null, pmtilesUrl: null } },
  brand: { name: 'Sungrove', slug: 'sungrove' },
}))
vi.stubGlobal('document', { title: '', addEventListener() {} })
vi.stubGlobal('location', new URL('https://sungrove.example'))
const { renderVisitorPage } = await import('./static-pages.tsx')
// If there were a document, the development build of the router would mistake the test for a browser.
Reflect.deleteProperty(globalThis, 'document')

const now = Date.parse('2026-11-24T12:00:00Z')

const socialLinks: MenuContent['extras']['socialLinks'] = [{ network: 'instagram', url: 'https://www.instagram.com/green.hills' }]

function menuContent(closure: MenuContent['business']['closure'] = null, timeZone = 'America/Denver'): MenuContent {
  const confirmedAt = '2026-11-24T10:00:00.000Z'
  const business: MenuContent['business'] = {
    id: '019ab000-0000-7000-8000-000000000001',
    slug: 'green-hills',
    name: 'Green Hills',
    type: 'dispensary',
    description: null,
    location: 'Denver, CO',
    address: null,
    phone: null,
    website: null,
    imageUrl: null,
    averageRating: 0,
    totalRatings: 0,
    subscriberCount: 0,
    isClaimed: true,
    isDemo: false,
    licenseStanding: 'none',
    isLicenseVerified: false,
    hasVerifiedBadge: false,
    pin: null,
    distanceMiles: null,
    openNow: null,
    timeZone,
    menuConfirmedAt: confirmedAt,
    closure,
    createdAt: confirmedAt,
    city: 'Denver',
    state: 'CO',
    zip: null,
    logoUrl: null,
    amenities: ['atm', 'wheelchair'],
    move: null,
    licenses: [],
    verification: { status: 'none' } as MenuContent['business']['verification'],
    productAge: { minimumAge: 21, rule: '', source: '' },
  }
  const menu = { itemCount: 1, categories: [], strainTypes: [], inStockCount: 1, onSaleCount: 0, confirmedAt, items: [], nextCursor: null }
  const allDay = Array.from({ length: 7 }, () => [{ opens: 0, closes: 1440 }])
  const place = { timeZone, hours: allDay, specialDays: [], openNow: { isOpen: true, changesAt: null, note: null } }
  const locations = [
    { ...place, id: '1', name: 'Main' },
    { ...place, id: '2', name: 'Second' },
  ] as unknown as MenuContent['locations']
  return {
    kind: 'menu',
    business,
    locations,
    menu,
    isAgeKnown: false,
    filter: {},
    device: 'other',
    place: null,
    extras: { gallery: [], socialLinks },
  }
}
const render = (content: MenuContent) => renderVisitorPage({ now, isSignedIn: false, content })

it('shows on the public menu that the business is closed', async () => {
  const closure = { kind: 'permanent', since: '2026-11-20T12:00:00.000Z', by: 'owner', reopensOn: null } as const
  const closed = await render(menuContent(closure))
  expect(closed).toContain('Permanently closed')
  expect(closed).not.toContain('Open now')
  expect(closed).not.toContain('Hours not listed')
  const open = await render(menuContent())
  expect(open).toContain('Wheelchair accessible')
  expect(open).toContain('href="https://www.instagram.com/green.hills"')
  expect(open).not.toContain('losed')
  expect(open.split('Open now')).toHaveLength(3)
})

it('shows the menu of a business that its owner gave up', async () => {
  const content = menuContent()
  const without = 'This business hasn’t listed its menu yet.'
  expect(await render({ ...content, business: { ...content.business, isClaimed: false } })).not.toContain(without)
  expect(await render({ ...content, business: { ...content.business, isClaimed: false, menuConfirmedAt: null } })).toContain(without)
})

it('renders each page in its own time zone when several are requested together', async () => {
  const zones = ['America/Denver', 'America/New_York', 'Europe/Berlin']
  const contents = zones.map((zone) => menuContent(null, zone))
  const apart: string[] = []
  for (const content of contents) apart.push(await render(content))
  expect(new Set(apart).size).toBe(zones.length)
  expect(await Promise.all(contents.map(render))).toEqual(apart)
})

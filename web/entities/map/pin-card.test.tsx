import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PinCard } from './business-map.tsx'
import type { PinGroup } from './map-view.ts'
import type { ShownPin } from './types.ts'

const farm: ShownPin = {
  id: '1',
  slug: 'high-plains-farm',
  name: 'High Plains Farm',
  type: 'farm',
  latitude: 39.98,
  longitude: -104.82,
  precision: 'city',
  isOpen: null,
  count: 1,
}
const shop: ShownPin = { ...farm, id: '2', slug: 'a-shop', name: 'A Shop', type: 'dispensary', precision: 'premise' }

function render(group: Partial<PinGroup> & { pins: ShownPin[] }, selectedId: string | null = null) {
  const whole = { total: group.pins.length, longitude: 0, latitude: 0, ...group }
  return renderToStaticMarkup(
    <PinCard group={whole} selectedId={selectedId} onClose={() => {}} onHover={() => {}} onNavigate={undefined} />,
  )
}

test('links one business by name and labels an approximate place', () => {
  const html = render({ pins: [farm] })
  expect(html).toContain('href="/business/high-plains-farm"')
  expect(html).toContain('Shown at the center of its city.')
  expect(html).not.toContain('<ul')
  expect(render({ pins: [shop] })).not.toContain('Shown at')
})

test('lists several businesses at one spot by name, with links and a count', () => {
  const html = render({ pins: [farm, { ...shop, precision: 'city' }] })
  expect(html).toContain('2 businesses in this city')
  expect(html.indexOf('/business/a-shop')).toBeLessThan(html.indexOf('/business/high-plains-farm'))
  expect(render({ pins: [farm, shop] })).toContain('2 businesses at this spot')
})

test('states how many businesses aren’t listed', () => {
  expect(render({ pins: [farm, shop], total: 1453 })).toContain('And 1,451 more')
  expect(render({ pins: [farm, shop] })).not.toContain(' more')
})

test('marks the selected business', () => {
  expect(render({ pins: [farm, shop] }, '2').match(/aria-current="true"/g)).toHaveLength(1)
})

test('shows whether a business is open, if its hours are known', () => {
  expect(render({ pins: [{ ...shop, isOpen: true }] })).toContain('Open now')
  expect(render({ pins: [{ ...shop, isOpen: false }, farm] })).toContain('Closed')
  expect(render({ pins: [farm] })).not.toMatch(/Open now|Closed/)
})

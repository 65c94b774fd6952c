import { expect, test } from 'vitest'
import { directionsUrl, wholeAddress } from './directions.ts'

const shop = {
  name: 'Lanternfold',
  address: '12 Wick St #4',
  location: 'Denver, CO',
  zip: '80202',
  pin: { latitude: 39.75, longitude: -104.99, precision: 'premise' as const },
}
const android = 'Mozilla/5.0 (Linux; Android 15) Chrome/140'
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari'
const linux = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140'

test('writes the address on one line, or no address without a street', () => {
  expect(wholeAddress(shop)).toBe('12 Wick St #4, Denver, CO 80202')
  expect(wholeAddress({ ...shop, address: null })).toBeNull()
})

test.each([
  ['device', android, 'geo:39.75,-104.99?q=Lanternfold%2C%2012%20Wick%20St%20%234%2C%20Denver%2C%20CO%2080202'],
  ['device', iPhone, 'https://maps.apple.com/?daddr=12+Wick+St+%234%2C+Denver%2C+CO+80202'],
  ['device', linux, 'https://www.openstreetmap.org/directions?to=39.75%2C-104.99'],
  ['google', android, 'https://www.google.com/maps/dir/?api=1&destination=12+Wick+St+%234%2C+Denver%2C+CO+80202'],
  ['apple', linux, 'https://maps.apple.com/?daddr=12+Wick+St+%234%2C+Denver%2C+CO+80202'],
] as const)('opens directions in %s on %s: %s', (site, agent, url) => {
  expect(directionsUrl(shop, site, agent)).toBe(url)
})

test('searches for the address if the pin isn’t the building’s', () => {
  const listing = { ...shop, pin: { ...shop.pin, precision: 'zip' as const } }
  expect(directionsUrl(listing, 'device', android)).toMatch(/^geo:0,0\?q=Lanternfold/)
  expect(directionsUrl(listing, 'openstreetmap', linux)).toBe(
    'https://www.openstreetmap.org/search?query=12+Wick+St+%234%2C+Denver%2C+CO+80202',
  )
})

test('gives no directions without a street or an exact pin, such as to a farm', () => {
  const farm = { ...shop, address: null, pin: { ...shop.pin, precision: 'city' as const } }
  for (const site of ['device', 'google', 'apple', 'openstreetmap'] as const) expect(directionsUrl(farm, site, android)).toBeNull()
})

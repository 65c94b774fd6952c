import { afterEach, expect, test, vi } from 'vitest'
import { setRegion } from './format.ts'
import { chosenTimeZone, timeZones, zoneName } from './time-zones.ts'

const all = (current: string) => Object.values(timeZones(current)).flat()

afterEach(() => void vi.unstubAllEnvs())

test.each([
  ['America/Denver', 'Mountain Time (Denver)'],
  ['America/Indiana/Knox', 'Central Time (Knox, Indiana)'],
  ['America/Argentina/Buenos_Aires', 'Argentina Standard Time (Buenos Aires, Argentina)'],
  ['Etc/UTC', 'UTC'],
  ['Mars/Olympus', 'Olympus'],
])('shows the time zone %s as %s', (zone, name) => {
  expect(zoneName(zone)).toBe(name)
})

test('follows the device until a time zone is chosen, and then keeps it', () => {
  vi.stubEnv('TZ', 'America/Denver')
  expect(chosenTimeZone('UTC')).toBe('America/Denver')
  expect(chosenTimeZone('Asia/Tokyo')).toBe('Asia/Tokyo')
  expect(chosenTimeZone('Etc/UTC')).toBe('Etc/UTC')
})

test('uses Etc/UTC on a device set to UTC', () => {
  vi.stubEnv('TZ', 'UTC')
  expect(chosenTimeZone('UTC')).toBe('Etc/UTC')
  expect(all('Etc/UTC')).not.toContain('UTC')
  expect(all('Etc/UTC')).toContain('Etc/UTC')
})

test('lists a chosen time zone that the browser doesn’t support', () => {
  expect(all('Mars/Olympus')).toContain('Mars/Olympus')
})

test('lists the time zones of the person’s country separately, sorted by name', () => {
  setRegion('US')
  const { ofCountry, others } = timeZones('America/Denver')
  expect(ofCountry).toContain('America/Denver')
  expect(ofCountry).not.toContain('Europe/Berlin')
  expect(others).toContain('Europe/Berlin')
  expect(ofCountry.map(zoneName)).toEqual(ofCountry.map(zoneName).toSorted((a, b) => a.localeCompare(b, 'en')))
  setRegion('DE')
  expect(timeZones('America/Denver').ofCountry).toEqual(expect.arrayContaining(['Europe/Berlin']))
  setRegion(null)
})

import { afterEach, expect, test, vi } from 'vitest'
import { chosenTimeZone, timeZones, zoneName } from './time-zones.ts'

afterEach(() => void vi.unstubAllEnvs())

test.each([
  ['America/Denver', 'Denver, America'],
  ['America/Argentina/Buenos_Aires', 'Buenos Aires, Argentina, America'],
  ['Etc/UTC', 'UTC'],
])('shows %s as %s', (zone, name) => {
  expect(zoneName(zone)).toBe(name)
})

test('follows the device until a time zone is chosen, and then keeps it', () => {
  vi.stubEnv('TZ', 'America/Denver')
  expect(chosenTimeZone('UTC')).toBe('America/Denver')
  expect(chosenTimeZone('Asia/Tokyo')).toBe('Asia/Tokyo')
  expect(chosenTimeZone('Etc/UTC')).toBe('Etc/UTC')
})

test('treats UTC as undetectable on a device set to UTC', () => {
  vi.stubEnv('TZ', 'UTC')
  expect(chosenTimeZone('UTC')).toBe('Etc/UTC')
  expect(timeZones('Etc/UTC')).not.toContain('UTC')
})

test('shows a time zone unknown to this browser', () => {
  expect(timeZones('Mars/Olympus')).toContain('Mars/Olympus')
})

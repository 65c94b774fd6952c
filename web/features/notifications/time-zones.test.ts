import { afterEach, expect, test, vi } from 'vitest'
import { chosenTimeZone, timeZones, zoneName } from './time-zones.ts'

afterEach(() => void vi.unstubAllEnvs())

test.each([
  ['America/Denver', 'Denver, America'],
  ['America/Argentina/Buenos_Aires', 'Buenos Aires, Argentina, America'],
  ['Etc/UTC', 'UTC'],
])('%s is shown as %s', (zone, name) => {
  expect(zoneName(zone)).toBe(name)
})

test('while none was chosen it is the device’s, and a chosen one stays', () => {
  vi.stubEnv('TZ', 'America/Denver')
  expect(chosenTimeZone('UTC')).toBe('America/Denver')
  expect(chosenTimeZone('Asia/Tokyo')).toBe('Asia/Tokyo')
  expect(chosenTimeZone('Etc/UTC')).toBe('Etc/UTC')
})

test('on a device that lives in UTC, UTC can be told from nothing', () => {
  vi.stubEnv('TZ', 'UTC')
  expect(chosenTimeZone('UTC')).toBe('Etc/UTC')
  expect(timeZones('Etc/UTC')).not.toContain('UTC')
})

test('a zone that this browser does not know can still be shown', () => {
  expect(timeZones('Mars/Olympus')).toContain('Mars/Olympus')
})

import { afterEach, expect, it, vi } from 'vitest'
import { canUsePasskeys } from '#web/entities/accounts/passkey-button.tsx'

vi.mock('./boot.ts', () => ({ boot: { answers: [] }, brand: {} }))
const { ApiError } = await import('./api-error.ts')
const { passkeyProblem } = await import('./passkeys.ts')

afterEach(() => vi.unstubAllGlobals())

it.each([
  ['grove.example', true, true],
  ['localhost', true, true],
  ['grove.example', false, false],
  ['192.0.2.7', true, false],
  ['[2001:db8::7]', true, false],
])('checks whether passkeys work at %s (secure: %s): %s', (hostname, isSecureContext, expected) => {
  vi.stubGlobal('window', { isSecureContext, location: { hostname } })
  vi.stubGlobal('PublicKeyCredential', class {})
  expect(canUsePasskeys()).toBe(expected)
  vi.stubGlobal('PublicKeyCredential', undefined)
  expect(canUsePasskeys()).toBe(false)
})

it('explains device errors and passes on the server’s messages', () => {
  const stopped = Object.assign(new Error('not allowed'), { name: 'NotAllowedError' })
  expect(passkeyProblem(stopped)).toMatch(/^Nothing was confirmed/)
  const answer = JSON.stringify({ code: 'conflict', message: 'You have 20 passkeys.' })
  expect(passkeyProblem(new ApiError({ status: 409, statusText: 'Conflict', retryAfter: null }, answer))).toBe('You have 20 passkeys.')
})

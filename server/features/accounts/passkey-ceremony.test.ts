import { expect, it } from 'vitest'
import { canHavePasskeys, requirePasskeys, userHandleOf } from './passkey-ceremony.ts'

const at = (publicUrl: string) => ({ config: { publicUrl } })

it.each([
  ['https://grove.example', true],
  ['https://grove.example:8443', true],
  ['http://localhost:3000', true],
  ['http://grove.example', false],
  ['https://192.0.2.7', false],
  ['https://[2001:db8::7]', false],
])('%s can have passkeys: %s', (publicUrl, expected) => {
  expect(canHavePasskeys(at(publicUrl))).toBe(expected)
  if (expected) requirePasskeys(at(publicUrl))
  else expect(() => requirePasskeys(at(publicUrl))).toThrow(/need a site with a name/)
})

it('what a device keeps of an account is its id in 16 bytes, and another for another account', () => {
  expect(Buffer.from(userHandleOf('0190a1b2-0000-7000-8000-000000000001'), 'base64url')).toHaveLength(16)
  expect(userHandleOf('0190a1b2-0000-7000-8000-000000000001')).not.toBe(userHandleOf('0190a1b2-0000-7000-8000-000000000002'))
})

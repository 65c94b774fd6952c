import { expect, test } from 'vitest'
import { seal, unseal } from './second-factor.ts'

const config = { sessionSecret: 'a secret for tests that is long enough' }

test('opens only for its account and server', () => {
  const sealed = seal(config, 'ann', 'the secret')
  expect(sealed).not.toContain('the secret')
  expect(seal(config, 'ann', 'the secret')).not.toBe(sealed)
  expect(unseal(config, 'ann', sealed)).toBe('the secret')
  expect(unseal(config, 'bea', sealed)).toBeNull()
  expect(unseal({ sessionSecret: 'another secret that is long enough' }, 'ann', sealed)).toBeNull()
})

test('does not open after tampering', () => {
  const bytes = Buffer.from(seal(config, 'ann', 'the secret'), 'base64url')
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] as number) ^ 1
    expect(unseal(config, 'ann', changed.toString('base64url')), `${at}`).toBeNull()
  }
  expect(unseal(config, 'ann', '')).toBeNull()
})

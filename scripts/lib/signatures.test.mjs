import { expect, test } from 'vitest'
import { judge } from './signatures.mjs'

test('fails for a package with a wrong or missing signature', () => {
  expect(judge(1, '1 package has an invalid registry signature:\n\nkysely@0.29.9 (https://registry.npmjs.org/)')).toBe('failed')
  expect(judge(1, '3 packages have missing registry signatures')).toBe('failed')
  expect(judge(null, 'spawn ETIMEDOUT')).toBe('failed')
})

test('skips if the registry or its keys are unreachable, and passes if all signatures are verified', () => {
  expect(judge(1, 'npm error code ENOTFOUND\nnpm error syscall getaddrinfo')).toBe('skipped')
  expect(judge(1, 'npm error code E405\nnpm error 405 Method Not Allowed')).toBe('skipped')
  expect(judge(0, '774 packages have verified registry signatures')).toBe('passed')
})

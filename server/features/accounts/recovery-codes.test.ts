import { expect, test } from 'vitest'
import { readRecoveryCode } from './second-factor.ts'

test.each([
  ['7K3M-9XQ2-H4TN-BW8D', '7K3M9XQ2H4TNBW8D'],
  [' 7k3m 9xq2 h4tn bw8d ', '7K3M9XQ2H4TNBW8D'],
  ['OIL0-1111-0000-ABCD', '011011110000ABCD'],
  ['7K3M-9XQ2-H4TN-BW8', null],
  ['7K3M-9XQ2-H4TN-BW8D-0', null],
  ['7K3M-9XQ2-H4TN-BW8U', null],
  ['123456', null],
  ['', null],
])('normalizes %j to %j', (typed, code) => {
  expect(readRecoveryCode(typed)).toBe(code)
})

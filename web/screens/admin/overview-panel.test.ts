import { expect, test } from 'vitest'
import { bytes } from './overview-panel.tsx'

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1,023 bytes'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [1024 ** 3 * 2.25, '2.3 GB'],
  [1024 ** 5 * 3, '3,072 TB'],
])('formats %d bytes as %s', (count, words) => expect(bytes(count)).toBe(words))

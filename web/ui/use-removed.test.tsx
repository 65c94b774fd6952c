import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useRemoved } from './pending-removals.ts'

const Count = () => useRemoved().size

test('has no deletions during server rendering', () => {
  expect(renderToString(<Count />)).toBe('0')
})

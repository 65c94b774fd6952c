import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useRemoved } from './pending-removals.ts'

const Count = () => useRemoved().size

test('reports no deleted items during server rendering', () => {
  expect(renderToString(<Count />)).toBe('0')
})

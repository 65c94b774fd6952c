import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useRemoved } from './use-removed.ts'

const Count = () => useRemoved().size

test('where a page is drawn ahead, nothing was deleted yet', () => {
  expect(renderToString(<Count />)).toBe('0')
})

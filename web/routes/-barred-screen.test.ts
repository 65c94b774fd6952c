import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { currentUserOptions } from '#web/lib/current-user.ts'
import { queryClient } from '#web/lib/query-client.ts'
import BarredScreen from './-barred-screen.tsx'

vi.mock('#web/screens/account-status/account-status-screen.tsx', () => ({
  default: ({ purchases }: { purchases: ReactNode }) => purchases,
}))
vi.mock('#web/screens/billing/billing-screen.tsx', () => ({ OwnPurchases: () => 'Purchases' }))
vi.mock('#web/screens/security/security-screen.tsx', () => ({ SecondFactorScreen: () => null }))
vi.mock('#web/screens/settings/leaving-screen.tsx', () => ({ default: () => null }))
vi.mock('#web/screens/settings/own-data-part.tsx', () => ({ default: () => null }))

test.each([
  ['shows a suspended person their purchases', '1990-01-01', 'Purchases'],
  ['shows none to people who gave no birthday, who can’t buy anything', null, ''],
])('%s', (_, birthday, expected) => {
  queryClient.setQueryData(currentUserOptions.queryKey, { birthday, leavesAt: null } as never)
  const screen = createElement(BarredScreen, { screen: 'standing' })
  expect(renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, screen))).toBe(expected)
})

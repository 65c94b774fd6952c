import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { businessOptions } from '#web/entities/businesses/businesses.api.ts'
import { Route } from './business.$id.tsx'

vi.mock('#web/screens/business/business-screen.tsx', () => ({ BusinessScreen: () => null }))

test.each([
  ['loads the menu of an open business', null, ['/menu', '/products']],
  ['doesn’t load the menu of a closed business, which its page doesn’t show', { kind: 'temporary' }, []],
])('%s', async (_, closure, expected) => {
  const paths: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    paths.push(url)
    return new Promise(() => {})
  })
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  queryClient.setQueryData(businessOptions('green').queryKey, { id: 'b1', closure } as never)
  const load = Route.options.loader as unknown as (args: object) => void
  load({ context: { queryClient, showsPage: true }, params: { id: 'green' }, location: { search: {} }, preload: false })
  await vi.waitFor(() => expect(paths).toContainEqual(expect.stringContaining('/b1/status')))
  expect(['/menu', '/products'].filter((part) => paths.some((path) => path.includes(`/b1${part}`)))).toEqual(expected)
})

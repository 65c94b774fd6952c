// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'

type AppProps = { router: AnyRouter; queryClient: QueryClient }

/** The same on the server, which draws the HTML that comes first, and in the browser, which goes on with it: React compares the two. */
export const App = ({ router, queryClient }: AppProps) => (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>
)

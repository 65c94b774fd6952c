// Constant or rarely rendered: React Compiler's memo code would only grow the initial bundle.
'use no memo'

import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'

type AppProps = { router: AnyRouter; queryClient: QueryClient }

/** Must render the same on the server and in the browser, because React hydrates the server's HTML. */
export const App = ({ router, queryClient }: AppProps) => (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>
)

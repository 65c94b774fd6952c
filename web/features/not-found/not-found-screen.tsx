// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { lazy, Suspense } from 'react'

const MissingPage = lazy(() => import('./missing-page.tsx'))

/** No screen stands at this address. Fetched when it is needed: the router holds on to this component on every page. */
export function NotFoundScreen() {
  return (
    <Suspense>
      <MissingPage />
    </Suspense>
  )
}

import { lazy, Suspense } from 'react'

const MissingPage = lazy(() => import('./missing-page.tsx'))

/** Lazy, because the router includes this component on every page. */
export function NotFoundScreen() {
  return (
    <Suspense>
      <MissingPage />
    </Suspense>
  )
}

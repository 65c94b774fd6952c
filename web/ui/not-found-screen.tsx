import { lazy, Suspense } from 'react'

const MissingPage = lazy(() => import('./missing-page.tsx'))

/** The screen for unknown addresses. Lazy, because the router includes this component on every page. */
export function NotFoundScreen() {
  return (
    <Suspense>
      <MissingPage />
    </Suspense>
  )
}

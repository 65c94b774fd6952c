import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { DashboardFrame } from '#web/screens/dashboard/dashboard-frame.tsx'
import { readBusinessOfDashboard } from '#web/screens/dashboard/dashboard-search.ts'
import { MenuEditor } from '#web/screens/menus/menu-editor.tsx'

export const Route = createFileRoute('/business-dashboard_/menu')({
  validateSearch: readBusinessOfDashboard,
  loader: ({ context }) => prefetch(context, myBusinessesOptions),
  component: Page,
})

const ShareMenu = lazy(async () => ({ default: (await import('#web/screens/menus/share-menu.tsx')).ShareMenu }))

function Page() {
  return (
    <DashboardFrame active="menu">
      {(business) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
          <MenuEditor key={business.id} business={business} />
          <Suspense fallback={null}>
            <ShareMenu key={`${business.id} shared`} business={business} />
          </Suspense>
        </div>
      )}
    </DashboardFrame>
  )
}

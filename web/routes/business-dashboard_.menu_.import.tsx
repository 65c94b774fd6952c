import { createFileRoute } from '@tanstack/react-router'
import { DashboardFrame } from '#web/screens/dashboard/dashboard-frame.tsx'
import { readImportSearch } from '#web/screens/dashboard/import-search.ts'
import { ImportScreen } from '#web/screens/menus/import-screen.tsx'

export const Route = createFileRoute('/business-dashboard_/menu_/import')({ validateSearch: readImportSearch, component: Page })

function Page() {
  const { import: importId } = Route.useSearch()
  return (
    <DashboardFrame active="menu">
      {(business) => <ImportScreen key={`${business.id} ${importId}`} business={business} importId={importId} />}
    </DashboardFrame>
  )
}

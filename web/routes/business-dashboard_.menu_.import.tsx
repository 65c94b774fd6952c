import { createFileRoute } from '@tanstack/react-router'
import { DashboardFrame } from '../features/dashboard/dashboard-frame.tsx'
import { ImportScreen } from '../features/menus/import-screen.tsx'
import { readImportSearch } from '../features/menus/import-search.ts'

export const Route = createFileRoute('/business-dashboard_/menu_/import')({ validateSearch: readImportSearch, component: Page })

function Page() {
  const { import: importId } = Route.useSearch()
  return (
    <DashboardFrame active="menu">
      {(business) => <ImportScreen key={`${business.id} ${importId}`} business={business} importId={importId} />}
    </DashboardFrame>
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { type SearchParams, textParam } from '#web/lib/search-params.ts'
import { DashboardFrame } from '#web/screens/dashboard/dashboard-frame.tsx'
import { type BusinessOfDashboard, readBusinessOfDashboard } from '#web/screens/dashboard/dashboard-search.ts'
import { ImportScreen } from '#web/screens/menus/import-screen.tsx'

/** `import` is the import's ID. Without it, the screen starts with the file. */
const readImportSearch = (search: SearchParams): BusinessOfDashboard & { import?: string | undefined } => ({
  ...readBusinessOfDashboard(search),
  import: textParam(search.import, 60),
})

export const Route = createFileRoute('/business-dashboard_/menu_/import')({
  validateSearch: readImportSearch,
  loader: ({ context }) => prefetch(context, myBusinessesOptions),
  component: Page,
})

function Page() {
  const { import: importId } = Route.useSearch()
  return (
    <DashboardFrame active="menu">
      {(business) => <ImportScreen key={`${business.id} ${importId}`} business={business} importId={importId} />}
    </DashboardFrame>
  )
}

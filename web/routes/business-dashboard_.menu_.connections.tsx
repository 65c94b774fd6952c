import { createFileRoute } from '@tanstack/react-router'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { DashboardFrame } from '#web/screens/dashboard/dashboard-frame.tsx'
import { readBusinessOfDashboard } from '#web/screens/dashboard/dashboard-search.ts'
import { ConnectionsScreen } from '#web/screens/menus/connections-screen.tsx'

export const Route = createFileRoute('/business-dashboard_/menu_/connections')({
  validateSearch: readBusinessOfDashboard,
  loader: ({ context }) => prefetch(context, myBusinessesOptions),
  component: Page,
})

function Page() {
  return <DashboardFrame active="menu">{(business) => <ConnectionsScreen key={business.id} business={business} />}</DashboardFrame>
}

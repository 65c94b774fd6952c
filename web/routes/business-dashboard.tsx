import { createFileRoute } from '@tanstack/react-router'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { DashboardScreen } from '#web/screens/dashboard/dashboard-screen.tsx'
import { readDashboardSearch } from '#web/screens/dashboard/dashboard-search.ts'

export const Route = createFileRoute('/business-dashboard')({
  validateSearch: readDashboardSearch,
  loader: ({ context }) => prefetch(context, myBusinessesOptions),
  component: Dashboard,
})

function Dashboard() {
  const { tab = 'overview' } = Route.useSearch()
  return <DashboardScreen tab={tab} />
}

import { createFileRoute } from '@tanstack/react-router'
import { DashboardScreen } from '#web/screens/dashboard/dashboard-screen.tsx'
import { readDashboardSearch } from '#web/screens/dashboard/dashboard-search.ts'

export const Route = createFileRoute('/business-dashboard')({ validateSearch: readDashboardSearch, component: Dashboard })

function Dashboard() {
  const { tab = 'overview' } = Route.useSearch()
  return <DashboardScreen tab={tab} />
}

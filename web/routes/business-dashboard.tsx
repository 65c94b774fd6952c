import { createFileRoute } from '@tanstack/react-router'
import { DashboardScreen } from '../features/dashboard/dashboard-screen.tsx'
import { readDashboardSearch } from '../features/dashboard/dashboard-search.ts'

export const Route = createFileRoute('/business-dashboard')({ validateSearch: readDashboardSearch, component: Dashboard })

function Dashboard() {
  const { tab = 'overview' } = Route.useSearch()
  return <DashboardScreen tab={tab} />
}

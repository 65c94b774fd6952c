import { createFileRoute } from '@tanstack/react-router'
import { DashboardFrame } from '../features/dashboard/dashboard-frame.tsx'
import { readBusinessOfDashboard } from '../features/dashboard/dashboard-search.ts'
import { TeamPage } from '../features/team/team-page.tsx'

export const Route = createFileRoute('/business-dashboard_/team')({ validateSearch: readBusinessOfDashboard, component: Page })

function Page() {
  return <DashboardFrame active="team">{(business) => <TeamPage key={business.id} business={business} />}</DashboardFrame>
}

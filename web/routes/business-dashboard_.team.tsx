import { createFileRoute } from '@tanstack/react-router'
import { DashboardFrame } from '#web/screens/dashboard/dashboard-frame.tsx'
import { readBusinessOfDashboard } from '#web/screens/dashboard/dashboard-search.ts'
import { TeamPage } from '#web/screens/team/team-page.tsx'

export const Route = createFileRoute('/business-dashboard_/team')({ validateSearch: readBusinessOfDashboard, component: Page })

function Page() {
  return <DashboardFrame active="team">{(business) => <TeamPage key={business.id} business={business} />}</DashboardFrame>
}

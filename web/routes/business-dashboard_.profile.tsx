import { createFileRoute } from '@tanstack/react-router'
import { DashboardFrame } from '#web/screens/dashboard/dashboard-frame.tsx'
import { readBusinessOfDashboard } from '#web/screens/dashboard/dashboard-search.ts'
import { ProfilePage } from '#web/screens/dashboard/profile-page.tsx'

export const Route = createFileRoute('/business-dashboard_/profile')({ validateSearch: readBusinessOfDashboard, component: Page })

function Page() {
  return <DashboardFrame active="profile">{(business) => <ProfilePage key={business.id} business={business} />}</DashboardFrame>
}

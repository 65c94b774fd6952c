import { createFileRoute } from '@tanstack/react-router'
import { ProfilePage } from '../features/business-profile/profile-page.tsx'
import { DashboardFrame } from '../features/dashboard/dashboard-frame.tsx'
import { readBusinessOfDashboard } from '../features/dashboard/dashboard-search.ts'

export const Route = createFileRoute('/business-dashboard_/profile')({ validateSearch: readBusinessOfDashboard, component: Page })

function Page() {
  return <DashboardFrame active="profile">{(business) => <ProfilePage key={business.id} business={business} />}</DashboardFrame>
}

import { createFileRoute } from '@tanstack/react-router'
import { DashboardFrame } from '../features/dashboard/dashboard-frame.tsx'
import { readBusinessOfDashboard } from '../features/dashboard/dashboard-search.ts'
import { LicensePage } from '../features/verification/license-page.tsx'

export const Route = createFileRoute('/business-dashboard_/license')({ validateSearch: readBusinessOfDashboard, component: Page })

function Page() {
  return <DashboardFrame active="license">{(business) => <LicensePage key={business.id} business={business} />}</DashboardFrame>
}

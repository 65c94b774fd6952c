import { createFileRoute } from '@tanstack/react-router'
import { LicenseProof } from '../features/claims/license-proof.tsx'
import { DashboardFrame } from '../features/dashboard/dashboard-frame.tsx'
import { readBusinessOfDashboard } from '../features/dashboard/dashboard-search.ts'
import { LicensePage } from '../features/verification/license-page.tsx'

export const Route = createFileRoute('/business-dashboard_/license')({ validateSearch: readBusinessOfDashboard, component: Page })

function Page() {
  return (
    <DashboardFrame active="license">
      {(business) => (
        <LicensePage key={business.id} business={business} proof={(request) => <LicenseProof key={request.id} request={request} />} />
      )}
    </DashboardFrame>
  )
}

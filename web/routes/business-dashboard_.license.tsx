import { createFileRoute } from '@tanstack/react-router'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { DashboardFrame } from '#web/screens/dashboard/dashboard-frame.tsx'
import { readBusinessOfDashboard } from '#web/screens/dashboard/dashboard-search.ts'
import { LicenseProof } from '#web/screens/registration/license-proof.tsx'
import { LicensePage } from '#web/screens/verification/license-page.tsx'

export const Route = createFileRoute('/business-dashboard_/license')({
  validateSearch: readBusinessOfDashboard,
  loader: ({ context }) => prefetch(context, myBusinessesOptions),
  component: Page,
})

function Page() {
  return (
    <DashboardFrame active="license">
      {(business) => (
        <LicensePage key={business.id} business={business} proof={(request) => <LicenseProof key={request.id} request={request} />} />
      )}
    </DashboardFrame>
  )
}

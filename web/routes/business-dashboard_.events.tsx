import { createFileRoute } from '@tanstack/react-router'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { DashboardFrame } from '#web/screens/dashboard/dashboard-frame.tsx'
import { readBusinessOfDashboard } from '#web/screens/dashboard/dashboard-search.ts'
import { EventsPage } from '#web/screens/events/events-page.tsx'

export const Route = createFileRoute('/business-dashboard_/events')({
  validateSearch: readBusinessOfDashboard,
  loader: ({ context }) => prefetch(context, myBusinessesOptions),
  component: Page,
})

function Page() {
  return <DashboardFrame active="events">{(business) => <EventsPage key={business.id} business={business} />}</DashboardFrame>
}

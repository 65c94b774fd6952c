import { createFileRoute } from '@tanstack/react-router'
import { DashboardFrame } from '#web/screens/dashboard/dashboard-frame.tsx'
import { readBusinessOfDashboard } from '#web/screens/dashboard/dashboard-search.ts'
import { EventsPage } from '#web/screens/events/events-page.tsx'

export const Route = createFileRoute('/business-dashboard_/events')({ validateSearch: readBusinessOfDashboard, component: Page })

function Page() {
  return <DashboardFrame active="events">{(business) => <EventsPage key={business.id} business={business} />}</DashboardFrame>
}

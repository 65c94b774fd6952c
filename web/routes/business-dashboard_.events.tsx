import { createFileRoute } from '@tanstack/react-router'
import { DashboardFrame } from '../features/dashboard/dashboard-frame.tsx'
import { readBusinessOfDashboard } from '../features/dashboard/dashboard-search.ts'
import { EventsPage } from '../features/events/events-page.tsx'

export const Route = createFileRoute('/business-dashboard_/events')({ validateSearch: readBusinessOfDashboard, component: Page })

function Page() {
  return <DashboardFrame active="events">{(business) => <EventsPage key={business.id} business={business} />}</DashboardFrame>
}

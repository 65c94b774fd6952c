import { createFileRoute } from '@tanstack/react-router'
import { BillingScreen } from '#web/screens/billing/billing-screen.tsx'
import { readBillingSearch } from '#web/screens/billing/billing-search.ts'

export const Route = createFileRoute('/billing')({ validateSearch: readBillingSearch, component: Billing })

function Billing() {
  const { business } = Route.useSearch()
  return <BillingScreen business={business} />
}

import { createFileRoute } from '@tanstack/react-router'
import { BillingScreen } from '../features/billing/billing-screen.tsx'
import { readBillingSearch } from '../features/billing/billing-search.ts'

export const Route = createFileRoute('/billing')({ validateSearch: readBillingSearch, component: Billing })

function Billing() {
  const { business } = Route.useSearch()
  return <BillingScreen business={business} />
}

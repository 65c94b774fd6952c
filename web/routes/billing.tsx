import { createFileRoute } from '@tanstack/react-router'
import { agreementsOptions, paymentsOptions, plansOptions } from '#web/entities/billing/billing.api.ts'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { type SearchParams, textParam } from '#web/lib/search-params.ts'
import { BillingScreen } from '#web/screens/billing/billing-screen.tsx'

/** `business` is a slug; undefined selects the viewer's own billing. */
const readBillingSearch = ({ business }: SearchParams): { business?: string | undefined } => ({ business: textParam(business, 120) })

export const Route = createFileRoute('/billing')({
  validateSearch: readBillingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    prefetch(context, myBusinessesOptions, plansOptions, ...(deps.business === undefined ? [agreementsOptions(), paymentsOptions()] : [])),
  component: Billing,
})

function Billing() {
  const { business } = Route.useSearch()
  return <BillingScreen business={business} />
}

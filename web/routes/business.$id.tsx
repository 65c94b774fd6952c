import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { businessOptions } from '#web/entities/businesses/businesses.api.ts'
import { businessEventsOptions } from '#web/entities/events/events.api.ts'
import { BusinessScreen } from '#web/screens/business/business-screen.tsx'
import { readBusinessSearch } from '#web/screens/business/business-search.ts'

export const Route = createFileRoute('/business/$id')({
  validateSearch: readBusinessSearch,
  // Hovering a card prefetches its business before the click. The call's code stays out of the first load.
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(businessOptions(params.id))
    void context.queryClient.prefetchInfiniteQuery(businessEventsOptions(params.id))
  },
  component: Business,
  codeSplitGroupings: [['loader', 'component']],
})

function Business() {
  const { id } = Route.useParams()
  const { tab = 'products' } = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <BusinessScreen
      key={id}
      idOrSlug={id}
      tab={tab}
      onTab={(next) => void navigate({ search: next === 'products' ? {} : { tab: next }, replace: true, resetScroll: false })}
    />
  )
}

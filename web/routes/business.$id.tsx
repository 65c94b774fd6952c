import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { BusinessScreen } from '../features/businesses/business-screen.tsx'
import { readBusinessSearch } from '../features/businesses/business-search.ts'
import { businessOptions } from '../features/businesses/businesses.api.ts'
import { businessEventsOptions } from '../features/events/events.api.ts'

export const Route = createFileRoute('/business/$id')({
  validateSearch: readBusinessSearch,
  // Pointing at a card fetches its business ahead of the click. The call's code stays out of the first load.
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

import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { businessOptions, businessStatusOptions, pageExtrasOptions } from '#web/entities/businesses/businesses.api.ts'
import { businessEventsOptions } from '#web/entities/events/events.api.ts'
import { locationsOptions } from '#web/entities/locations/locations.api.ts'
import { menuOptions, productsOptions } from '#web/entities/menus/menus.api.ts'
import { prefetch, prefetchThen } from '#web/lib/prefetch.ts'
import { BusinessScreen } from '#web/screens/business/business-screen.tsx'
import { readBusinessSearch } from '#web/screens/business/business-search.ts'

export const Route = createFileRoute('/business/$id')({
  validateSearch: readBusinessSearch,
  loader: ({ context, params: { id }, location, preload }) => {
    prefetch(context, pageExtrasOptions(id), businessEventsOptions(id))
    prefetchThen(context, businessOptions(id), (business) => {
      // Hovering over a link prefetches only what is above the menu.
      if (preload) return []
      const parts = [businessStatusOptions(business.id), locationsOptions(business.id)]
      // Search parameters open another tab or narrow the menu. A closed business shows none.
      const showsMenu = !business.closure && Object.values(location.search).every((value) => value === undefined)
      const menu = showsMenu ? [productsOptions(business.id), menuOptions(business.id)] : []
      return [...parts, ...menu]
    })
  },
  component: Business,
})

function Business() {
  const { id } = Route.useParams()
  const { tab = 'products', ...menuSearch } = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  const { data: business } = useQuery({ ...businessOptions(id), enabled: false })
  const slug = business && id !== business.id && id !== business.slug ? business.slug : null
  useEffect(() => {
    // The business at this address was merged into another one.
    if (slug !== null) void navigate({ to: '/business/$id', params: { id: slug }, search: true, replace: true })
  }, [slug, navigate])
  return (
    <BusinessScreen
      key={id}
      idOrSlug={id}
      tab={tab}
      onTab={(next) =>
        void navigate({ search: { ...menuSearch, tab: next === 'products' ? undefined : next }, replace: true, resetScroll: false })
      }
      menuSearch={menuSearch}
      onMenuSearch={(search) => void navigate({ search, replace: true, resetScroll: false })}
    />
  )
}

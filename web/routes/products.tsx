import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { readProductSearch, withDefaultPlace } from '#web/entities/product-search/product-params.ts'
import { foundProductsOptions, productCountsOptions } from '#web/entities/product-search/product-search.api.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { ProductSearchScreen } from '#web/screens/product-search/product-search-screen.tsx'

export const Route = createFileRoute('/products')({
  validateSearch: readProductSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    const search = withDefaultPlace(deps, context.user)
    if (search.near) prefetch(context, foundProductsOptions(search), productCountsOptions(search))
  },
  component: Products,
})

function Products() {
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <ProductSearchScreen
      search={withDefaultPlace(Route.useSearch(), useCurrentUser())}
      onSearch={(search, { replace = false } = { replace: false }) => void navigate({ search, replace, resetScroll: false })}
    />
  )
}

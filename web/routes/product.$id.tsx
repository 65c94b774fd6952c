import { createFileRoute } from '@tanstack/react-router'
import { productOptions, productQuery } from '#web/entities/menus/menus.api.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { readLocation } from '#web/screens/business/business-search.ts'
import { ProductScreen } from '#web/screens/products/product-screen.tsx'

export const Route = createFileRoute('/product/$id')({
  validateSearch: ({ location }): { location?: string | undefined } => ({ location: readLocation(location) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) => prefetch(context, productOptions(params.id, productQuery(deps.location, context.user))),
  component: Product,
})

function Product() {
  const { id } = Route.useParams()
  const { location } = Route.useSearch()
  return <ProductScreen key={id} id={id} query={productQuery(location, useCurrentUser())} />
}

import { useInfiniteQuery } from '@tanstack/react-query'
import type { Business } from '../../../contracts/businesses.ts'
import { ApiError } from '../../lib/api-error.ts'
import { productsOptions } from '../menus/menus.api.ts'
import { ShopMenu } from '../menus/shop-menu.tsx'
import { TabNote } from './tab-states.tsx'

/** The menu, for those who are old enough for it. */
export function ProductsTab({ business }: { business: Business }) {
  const { error } = useInfiniteQuery(productsOptions(business.id))
  if (error instanceof ApiError && error.code === 'age_restricted') {
    const { minimumAge, rule } = business.productAge
    return (
      <TabNote title={`Products are shown to people of ${minimumAge} or over.`}>
        {rule} Everything else about this business is open to you.
      </TabNote>
    )
  }
  return <ShopMenu business={business} />
}

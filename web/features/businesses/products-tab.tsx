// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Business } from '../../../contracts/businesses.ts'
import { ApiError } from '../../lib/api-error.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { useIsHydrating } from '../../lib/use-is-hydrating.ts'
import { textLink } from '../../ui/link-styles.ts'
import { ListNote } from '../../ui/paged-list.tsx'
import { productsOptions } from '../menus/menus.api.ts'
import { ShopMenu } from '../menus/shop-menu.tsx'
import { businessStatusOptions } from './businesses.api.ts'

/** The menu, for those who are old enough for it. */
export function ProductsTab({ business }: { business: Business }) {
  const { error } = useInfiniteQuery(productsOptions(business.id))
  const user = useCurrentUser()
  const isHydrating = useIsHydrating()
  const { data: status } = useQuery({ ...businessStatusOptions(business.id), enabled: user !== null })
  // What can be done about the business is asked for earlier: the HTML was drawn without.
  const runsIt = (status?.role ?? null) !== null && !isHydrating
  if (error instanceof ApiError && error.code === 'age_restricted') {
    const { minimumAge, rule } = business.productAge
    return (
      <ListNote title={`Products are shown to people of ${minimumAge} or over.`}>
        {rule} Everything else about this business is open to you.
      </ListNote>
    )
  }
  return (
    <ShopMenu
      business={business}
      toEditor={
        runsIt && (
          <Link to="/business-dashboard/menu" search={{ business: business.slug }} className={textLink}>
            Edit this menu
          </Link>
        )
      }
    />
  )
}

import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { getMenuSharing, type MenuSharing } from '../../../contracts/public-menu.ts'
import { call, queryKey } from '../../lib/call.ts'

export const menuSharingOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getMenuSharing, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(getMenuSharing, { params: { id: businessId } }, { signal }),
  })

export const setMenuSharing = (client: QueryClient, businessId: string, sharing: MenuSharing): void => {
  client.setQueryData(menuSharingOptions(businessId).queryKey, sharing)
}

import { queryOptions } from '@tanstack/react-query'
import { getBusinessStanding } from '../../../contracts/billing.ts'
import { call, queryKey } from '../../lib/call.ts'

/** A business's plans and what they unlock. Only for its team. */
export const businessStandingOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getBusinessStanding, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(getBusinessStanding, { params: { id: businessId } }, { signal }),
  })

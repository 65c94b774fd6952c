import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getRatingSummary, listRatings, type RatingSort } from '../../../contracts/reviews.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

/** Always under the business's id, so that a change finds them whatever the address was. */
export const reviewsOptions = (businessId: string, sort: RatingSort) => {
  // The first order is the server's own, and has no word in the address.
  const input = { params: { id: businessId }, query: sort === 'newest' ? {} : { sort } }
  return infiniteQueryOptions({
    queryKey: queryKey(listRatings, input),
    queryFn: ({ pageParam, signal }) => callPage(listRatings, input, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
  })
}

export const reviewSummaryOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getRatingSummary, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(getRatingSummary, { params: { id: businessId } }, { signal }),
  })

import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getBusiness, listBusinesses } from '#contracts/businesses.ts'
import { getVerification, listWaitingVerifications } from '#contracts/verification.ts'
import { call, callPage, queryKey } from '#web/lib/call.ts'

export const licenseStateOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getVerification, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(getVerification, { params: { id: businessId } }, { signal }),
  })

export const waitingVerificationsOptions = infiniteQueryOptions({
  queryKey: queryKey(listWaitingVerifications),
  queryFn: ({ pageParam, signal }) => callPage(listWaitingVerifications, {}, pageParam, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
})

export async function refreshLicense(client: QueryClient): Promise<void> {
  await Promise.all([getVerification, getBusiness, listBusinesses].map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
}

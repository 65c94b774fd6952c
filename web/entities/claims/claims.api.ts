import { infiniteQueryOptions, type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import { type Claim, findClaimCandidates, getClaimOptions, getLicenseProof, listWaitingClaims } from '#contracts/claims.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import { call, callPage, queryKey } from '#web/lib/call.ts'

export type CandidateQuery = NonNullable<InputOf<typeof findClaimCandidates>['query']>

export const candidatesOptions = (query: CandidateQuery) =>
  queryOptions({
    queryKey: queryKey(findClaimCandidates, { query }),
    queryFn: ({ signal }) => call(findClaimCandidates, { query }, { signal }),
  })

export const claimOptions = (idOrSlug: string) =>
  queryOptions({
    queryKey: queryKey(getClaimOptions, { params: { id: idOrSlug } }),
    queryFn: ({ signal }) => call(getClaimOptions, { params: { id: idOrSlug } }, { signal }),
    // A moderator, a mailed code or another person may have changed it.
    staleTime: 0,
  })

export const proofOptions = (verificationId: string) =>
  queryOptions({
    queryKey: queryKey(getLicenseProof, { params: { id: verificationId } }),
    queryFn: ({ signal }) => call(getLicenseProof, { params: { id: verificationId } }, { signal }),
    staleTime: 0,
  })

export const cacheClaim = (client: QueryClient, optionsKey: QueryKey, claim: Claim): void => {
  client.setQueryData<{ claim: Claim | null }>(optionsKey, (options) => options && { ...options, claim })
}

export const waitingClaimsOptions = infiniteQueryOptions({
  queryKey: queryKey(listWaitingClaims),
  queryFn: ({ pageParam, signal }) => callPage(listWaitingClaims, {}, pageParam, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
})

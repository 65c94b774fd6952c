import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Claim, findClaimCandidates, getClaimOptions, listWaitingClaims } from '../../../contracts/claims.ts'
import type { InputOf } from '../../../contracts/endpoint.ts'
import { call, callPage, queryKey } from '../../lib/call.ts'

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
    // A moderator, a mailed code or somebody else may have changed it since.
    staleTime: 0,
  })

/** What a step answered is the person's claim from now on. */
export const keepClaim = (client: QueryClient, idOrSlug: string, claim: Claim): void => {
  client.setQueryData(claimOptions(idOrSlug).queryKey, (options) => options && { ...options, claim })
}

export const waitingClaimsOptions = infiniteQueryOptions({
  queryKey: queryKey(listWaitingClaims),
  queryFn: ({ pageParam, signal }) => callPage(listWaitingClaims, {}, pageParam, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
})

import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { getQueueCounts } from '#contracts/calls/admin.ts'
import { findClaimCandidates, getClaimOptions, getLicenseProof, listWaitingClaims } from '#contracts/calls/claims.ts'
import type { Claim } from '#contracts/claims.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import { callOptions, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { alwaysCurrent } from '#web/lib/query-client.ts'

export type CandidateQuery = NonNullable<InputOf<typeof findClaimCandidates>['query']>

export const candidatesOptions = (query: CandidateQuery) => callOptions(findClaimCandidates, { query })

export const claimOptions = (idOrSlug: string) => ({
  ...callOptions(getClaimOptions, { params: { id: idOrSlug } }),
  // A moderator, an emailed code or someone else may have changed the claim.
  ...alwaysCurrent,
})

export const proofOptions = (verificationId: string) => ({
  ...callOptions(getLicenseProof, { params: { id: verificationId } }),
  staleTime: 0,
})

export const cacheClaim = (client: QueryClient, optionsKey: QueryKey, claim: Claim): void => {
  client.setQueryData<{ claim: Claim | null }>(optionsKey, (options) => options && { ...options, claim })
}

export const waitingClaimsOptions = { ...pagesOptions(listWaitingClaims, {}), staleTime: 0 }

export const refreshClaimQueue = (client: QueryClient): Promise<void> => refreshCalls(client, [listWaitingClaims, getQueueCounts])

export const refreshClaim = (client: QueryClient, optionsKey: QueryKey): Promise<void> => client.invalidateQueries({ queryKey: optionsKey })

export function claimIsOver(client: QueryClient, optionsKey: QueryKey): void {
  client.removeQueries({ queryKey: optionsKey })
}

export type Typed = { licenseNumber?: string; name?: string; place?: string }

/** Null if too little is typed to identify a business. */
export function questionOf({ licenseNumber = '', name = '', place = '' }: Typed): CandidateQuery | null {
  const number = licenseNumber.trim()
  const hasNumber = number.replace(/[^a-z0-9]/gi, '').length >= 4
  const hasName = name.trim().length >= 3 && place.trim().length >= 3
  if (!hasNumber && !hasName) return null
  return { ...(hasNumber && { licenseNumber: number }), ...(hasName && { name: name.trim(), place: place.trim() }) }
}

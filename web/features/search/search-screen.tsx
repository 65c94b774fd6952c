import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { ApiError } from '../../lib/api-error.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { KindTabs } from './kind-tabs.tsx'
import { rememberSearch } from './recent-searches.ts'
import { resultSentence } from './result-sentence.ts'
import { facetsOptions, resultsOptions } from './search.api.ts'
import { change, type SearchAddress } from './search-address.ts'
import { SearchField } from './search-field.tsx'
import { SearchFilters } from './search-filters.tsx'
import { SearchResults } from './search-results.tsx'
import { SearchStart } from './search-start.tsx'

/** Everything that can be found, in one list: its kinds are tabs, and a place, a state and a type of business narrow it. */
export function SearchScreen({ address }: { address: SearchAddress }) {
  const user = useCurrentUser()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const { q } = address
  const go = (to: SearchAddress, { replace = false } = {}) => void navigate({ to: '/search', search: to, replace, resetScroll: false })

  // A search that somebody arrives with is one of theirs, too; what they type from here on is one when they send or follow it.
  const arrivedWith = useRef(q)
  const accountId = user?.id
  useEffect(() => {
    if (accountId && arrivedWith.current) rememberSearch(accountId, arrivedWith.current)
  }, [accountId])

  if (!user) return null
  return (
    <div className="mx-auto max-w-4xl px-4 pt-6 pb-12 sm:px-6">
      <h1 className="text-2xl wrap-anywhere sm:text-3xl" data-title={q ? `“${q}” in Search` : undefined}>
        {q ? `Results for “${q}”` : 'Search'}
      </h1>
      <div className="mt-4">
        <SearchField
          input={input}
          text={q ?? ''}
          autoFocus={q === undefined}
          onText={(text) => go(change(address, { q: text || undefined }), { replace: true })}
          onSent={(text) => rememberSearch(user.id, text)}
        />
      </div>
      {q ? (
        <Found user={user} address={{ ...address, q }} onAddress={go} />
      ) : (
        <SearchStart user={user} onSearch={(text) => go(change(address, { q: text }))} />
      )}
    </div>
  )
}

type FoundProps = { user: CurrentUser; address: SearchAddress & { q: string }; onAddress: (address: SearchAddress) => void }

function Found({ user, address, onAddress }: FoundProps) {
  const list = useInfiniteQuery(resultsOptions(address))
  const facets = useQuery(facetsOptions(address))
  const placeError = list.error instanceof ApiError ? (list.error.fields.place ?? null) : null
  const counted = placeError ? undefined : facets.data
  return (
    <>
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4">
        <KindTabs address={address} facets={counted} />
        <SearchFilters address={address} placeError={placeError} onChange={onAddress} />
      </div>
      <p role="status" className="mt-4 mb-3 min-h-[1.5em] text-[0.9375rem] text-muted">
        {counted && !facets.isPlaceholderData && !list.isPlaceholderData && list.data && resultSentence(address, counted, list.data.pages)}
      </p>
      <SearchResults
        address={address}
        list={list}
        facets={counted}
        placeError={placeError}
        onAddress={onAddress}
        onFollow={() => rememberSearch(user.id, address.q)}
      />
    </>
  )
}

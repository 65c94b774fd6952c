import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Clock, Search, X } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { maxSearchLength } from '#contracts/limits.ts'
import type { SearchFacets, SearchKind } from '#contracts/search.endpoints.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { nearHome } from '#web/lib/near-home.ts'
import { useTypedAddress } from '#web/lib/use-address-text.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { type Counted, countedTogether, countText, kindNames, kinds, resultSentence, sum } from './hits.tsx'
import { forgetSearch, forgetSearches, rememberSearch, useRecentSearches } from './recent-searches.ts'
import { facetsOptions, resultsOptions } from './search.api.ts'
import { change, type SearchAddress } from './search-address.ts'
import { KeyHint, slashKey, withCommand } from './search-keys.tsx'
import { SearchFilters, SearchResults } from './search-results.tsx'

export function SearchScreen({ address }: { address: SearchAddress }) {
  const user = useCurrentUser()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const { q } = address
  const go = (to: SearchAddress, { replace = false } = {}) => void navigate({ to: '/search', search: to, replace, resetScroll: false })

  // Store the initial search immediately, and later texts only when someone submits them or opens a result.
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
  const list = useInfiniteQuery(resultsOptions(address, nearHome(user)))
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

type KindTabsProps = {
  address: SearchAddress
  /** Undefined while loading or on failure. */
  facets: SearchFacets | undefined
}

const tab =
  'relative flex min-h-11 shrink-0 items-center gap-1.5 rounded-tag px-1.5 font-medium text-[0.9375rem] text-muted whitespace-nowrap transition-colors hover:text-ink focus-visible:-outline-offset-2 aria-[current]:text-ink after:absolute after:inset-x-1.5 after:bottom-0 after:h-0.5 after:rounded-full aria-[current]:after:bg-leaf'

/** Tabs are links, so each has an address and Back works. */
function KindTabs({ address, facets }: KindTabsProps) {
  const row = useRef<HTMLUListElement>(null)
  const hasCounts = facets !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when counts arrive, because they widen the row
  useEffect(() => {
    const current = row.current?.querySelector(`[data-kind="${address.kind ?? 'all'}"]`)
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [address.kind, hasCounts])
  const total = facets && sum(countedTogether(facets.kinds))
  return (
    <nav aria-label="Result types">
      <ul
        ref={row}
        className="flex gap-3 overflow-x-auto border-line border-b [scrollbar-width:none] max-sm:-mx-4 max-sm:px-4 lg:gap-4 sm:max-lg:gap-1.5"
      >
        <KindTab kind="all" text="All" search={change(address, { kind: undefined })} isCurrent={!address.kind} counted={total} />
        {kindNames.map((kind) => (
          <KindTab
            key={kind}
            kind={kind}
            text={kinds[kind].many}
            search={change(address, { kind })}
            isCurrent={address.kind === kind}
            counted={facets?.kinds.find((each) => each.kind === kind)}
          />
        ))}
      </ul>
    </nav>
  )
}

type KindTabProps = { kind: string; text: string; search: SearchAddress; isCurrent: boolean; counted: Counted | undefined }

function KindTab({ kind, text, search, isCurrent, counted }: KindTabProps) {
  return (
    <li data-kind={kind}>
      <Link
        to="/search"
        search={search}
        resetScroll={false}
        // By default, the router also treats addresses with more filters as active.
        activeOptions={{ exact: true, includeSearch: true }}
        aria-current={isCurrent ? 'page' : undefined}
        className={tab}
      >
        {text}
        {counted && (
          <span className={cx('rounded-full px-1.75 text-xs/5 tabular-nums', isCurrent ? 'bg-leaf-soft text-leaf' : 'bg-sunk')}>
            {countText(counted)}
          </span>
        )}
      </Link>
    </li>
  )
}

type SearchFieldProps = {
  input: RefObject<HTMLInputElement | null>
  text: string
  autoFocus: boolean
  onText: (text: string) => void
  /** Called when people submit, not while they type. */
  onSent: (text: string) => void
}

function SearchField({ input, text, autoFocus, onText, onSent }: SearchFieldProps) {
  const field = useTypedAddress(text, { pauseMs: 200, onText })

  return (
    <search>
      <form
        className="relative"
        onSubmit={(event) => {
          event.preventDefault()
          field.submit()
          onSent(field.text)
        }}
      >
        <Search aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-4 my-auto size-5 text-muted" />
        <input
          ref={input}
          type="search"
          name="q"
          aria-label="Search everything"
          placeholder="Businesses, strains, people"
          // biome-ignore lint/a11y/noAutofocus: the page is mainly this field, and it takes focus only before a search
          autoFocus={autoFocus}
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={maxSearchLength}
          value={field.text}
          onChange={(event) => field.type(event.target.value)}
          className="min-h-14 w-full rounded-card border border-edge bg-surface pr-12 pl-12 text-ellipsis text-lg transition-colors hover:border-ink/60 focus-visible:border-focus focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-focus [&::-webkit-search-cancel-button]:hidden"
        />
        {field.text && (
          <IconButton
            label="Clear the search"
            size="sm"
            className="absolute! inset-y-0 right-3 my-auto"
            onClick={() => {
              field.clear()
              input.current?.focus()
            }}
          >
            <X />
          </IconButton>
        )}
      </form>
    </search>
  )
}

type SearchStartProps = { user: CurrentUser; onSearch: (text: string) => void }

const hints: Record<SearchKind, { text: string; examples: string[] }> = {
  business: { text: 'Farms, dispensaries and shops, by name or city', examples: ['Green', 'Denver'] },
  product: { text: 'What’s on the menus', examples: ['Pre-roll', 'Gummies'] },
  post: { text: 'News, tips and offers', examples: ['Harvest', 'Soil'] },
  person: { text: 'By their profile name', examples: [] },
  community: { text: 'By topic', examples: ['Growers'] },
  strain: { text: 'About 9,500 names with their type and breeder', examples: ['Blue Dream', 'Sour Diesel'] },
}

function SearchStart({ user, onSearch }: SearchStartProps) {
  const recent = useRecentSearches(user.id)
  const isSlashKeyOn = slashKey.useIsOn()
  return (
    <div className="mt-8 grid gap-8">
      {recent.length > 0 && (
        <section aria-labelledby="recent-searches">
          <div className="mb-2 flex items-baseline justify-between gap-4">
            <h2 id="recent-searches" className="text-lg">
              Recent searches
            </h2>
            <button
              type="button"
              className="touch-target rounded-tag font-medium text-leaf text-sm hover:underline hover:underline-offset-3"
              onClick={() => forgetSearches(user.id)}
            >
              Clear all
            </button>
          </div>
          <Card asChild>
            <ul className="divide-y divide-line">
              {recent.map((text) => (
                <li key={text} className="relative flex items-center gap-3 py-1 pr-2 pl-4 transition-colors hover:bg-sunk">
                  <Clock aria-hidden="true" className="size-4.5 shrink-0 text-muted" />
                  <Link
                    to="/search"
                    search={{ q: text }}
                    className="min-w-0 flex-1 truncate rounded-tag py-2 after:absolute after:inset-0 focus-visible:-outline-offset-2"
                  >
                    {text}
                  </Link>
                  <IconButton label={`Remove “${text}”`} size="sm" className="z-1" onClick={() => forgetSearch(user.id, text)}>
                    <X />
                  </IconButton>
                </li>
              ))}
            </ul>
          </Card>
          <p className="mt-2 text-muted text-sm">Stored only on this device and removed when you sign out.</p>
        </section>
      )}
      <section aria-labelledby="what-to-find">
        <h2 id="what-to-find" className="mb-3 text-lg">
          What you can find
        </h2>
        <ul className="grid gap-3 sm:grid-cols-2">
          {kindNames.map((kind) => {
            const { many, Icon } = kinds[kind]
            const { text, examples } = hints[kind]
            return (
              <li key={kind} className="flex gap-3.5 rounded-card border border-line bg-surface p-4">
                <span className="grid size-10 shrink-0 place-items-center rounded-input bg-leaf-soft text-leaf">
                  <Icon aria-hidden="true" className="size-5" />
                </span>
                <div className="min-w-0">
                  <h3 className="font-semibold font-text text-base tracking-normal">{many}</h3>
                  <p className="text-muted text-sm">{text}</p>
                  {examples.length > 0 && (
                    <p className="mt-1.5 flex flex-wrap gap-x-3 gap-y-1 text-sm">
                      {examples.map((example) => (
                        <button key={example} type="button" className={`${textLink} touch-target`} onClick={() => onSearch(example)}>
                          {example}
                        </button>
                      ))}
                    </p>
                  )}
                </div>
              </li>
            )
          })}
        </ul>
        <p className="mt-4 flex flex-wrap items-center gap-1.5 text-muted text-sm pointer-coarse:hidden">
          From any page, <KeyHint>{withCommand('K')}</KeyHint>{' '}
          {isSlashKeyOn && (
            <>
              or <KeyHint>/</KeyHint>{' '}
            </>
          )}
          opens search.
        </p>
      </section>
    </div>
  )
}

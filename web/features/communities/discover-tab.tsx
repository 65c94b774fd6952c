import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import type { CommunitySort } from '../../../contracts/communities.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { SearchForm } from '../../ui/search-form.tsx'
import { Select } from '../../ui/select.tsx'
import { CategoryTiles } from './category-tiles.tsx'
import { communitiesOptions } from './communities.api.ts'
import type { CommunitiesSearch } from './communities-search.ts'
import { CommunityCard, CommunityCardsSkeleton } from './community-card.tsx'
import { categoryHints, categoryNames, sortNames } from './community-words.ts'

/** Finds communities: by words, by category, or the featured ones. */
export function DiscoverTab({ search }: { search: CommunitiesSearch }) {
  const router = useRouter()
  const { q = '', category, sort = 'featured' } = search
  const list = useInfiniteQuery(communitiesOptions({ q, category, sort }))
  const go = (next: CommunitiesSearch) => void router.navigate({ to: '/communities', search: next, replace: true, resetScroll: false })
  const find = (text: string) => {
    const { q: _, ...rest } = search
    go(text ? { ...rest, q: text } : rest)
  }
  return (
    <div className="grid gap-7">
      <SearchForm
        key={q}
        label="Search communities"
        placeholder="Search communities"
        maxLength={120}
        search={q}
        onSearch={find}
        onClear={() => find('')}
      />
      <CategoryTiles search={search} />
      <section aria-labelledby="communities-list" className="grid gap-4">
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <div>
            <h2 id="communities-list" className="text-xl wrap-anywhere">
              {headingOf({ q, category, sort })}
            </h2>
            {category && <p className="mt-0.5 text-muted text-sm">{categoryHints[category]}</p>}
          </div>
          <Select
            aria-label="Order"
            value={sort}
            onChange={(event) => {
              const { sort: _, ...rest } = search
              const next = event.target.value as CommunitySort
              go(next === 'featured' ? rest : { ...rest, sort: next })
            }}
            className="w-40"
          >
            {Object.entries(sortNames).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </Select>
        </div>
        <PagedList
          list={list}
          loadingLabel="Loading communities..."
          skeleton={<CommunityCardsSkeleton />}
          failure="The communities could not be loaded"
          cards="each"
          empty={<NothingFound search={search} />}
        >
          {(communities) => (
            <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
              {communities.map((community) => (
                <li key={community.id}>
                  <CommunityCard community={community} />
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      </section>
    </div>
  )
}

function headingOf({
  q,
  category,
  sort,
}: Required<Pick<CommunitiesSearch, 'sort'>> & { q: string; category: CommunitiesSearch['category'] }) {
  if (q) return category ? `“${q}” in ${categoryNames[category]}` : `“${q}”`
  if (category) return categoryNames[category]
  return { featured: 'Featured communities', newest: 'Newest communities', name: 'All communities' }[sort]
}

function NothingFound({ search: { q, category } }: { search: CommunitiesSearch }) {
  return (
    <EmptyState
      title={q ? `No community matches “${q}”` : category ? `Nothing in ${categoryNames[category]} yet` : 'No communities yet'}
      description={q ? 'Try fewer words or another category.' : 'Begin the first one: it takes a name, a sentence and a category.'}
      level={3}
    >
      {(q || category) && (
        <Button asChild variant="secondary">
          <Link to="/communities" search={{}}>
            Show all communities
          </Link>
        </Button>
      )}
      <Button asChild variant={q ? 'quiet' : 'primary'}>
        <Link to="/communities" search={{ tab: 'create' }}>
          Create a community
        </Link>
      </Button>
    </EmptyState>
  )
}

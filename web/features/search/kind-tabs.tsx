import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { SearchFacets } from '../../../contracts/search.ts'
import { cx } from '../../ui/cx.ts'
import { type Counted, countText, sum } from './counts.ts'
import { kindNames, kinds } from './kinds.ts'
import { change, type SearchAddress } from './search-address.ts'

type KindTabsProps = {
  address: SearchAddress
  /** Undefined until the server has counted, and where it could not. */
  facets: SearchFacets | undefined
}

const tab =
  'relative flex min-h-11 shrink-0 items-center gap-1.5 rounded-tag px-1.5 font-medium text-[0.9375rem] text-muted whitespace-nowrap transition-colors hover:text-ink focus-visible:-outline-offset-2 aria-[current]:text-ink after:absolute after:inset-x-1.5 after:bottom-0 after:h-0.5 after:rounded-full aria-[current]:after:bg-leaf'

/** All kinds, or one of them. Links, so that each has an address and Back returns. */
export function KindTabs({ address, facets }: KindTabsProps) {
  const row = useRef<HTMLUListElement>(null)
  const hasCounts = facets !== undefined
  // Again when the counts come: with them the row is longer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const current = row.current?.querySelector(`[data-kind="${address.kind ?? 'all'}"]`)
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [address.kind, hasCounts])
  const total = facets && sum(facets.kinds)
  return (
    <nav aria-label="Kinds of results">
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
        // The router would take an address that has more filters for this one.
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

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AdminBusiness } from '../../../contracts/admin.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { ListNote, PagedList } from '../../ui/paged-list.tsx'
import { SkeletonRow } from '../../ui/skeleton.tsx'
import { businessesOptions } from './admin.api.ts'
import type { PanelProps } from './admin-search.ts'
import { CorrectNameDialog } from './correct-name-dialog.tsx'
import { rowLink } from './row-link.ts'
import { SearchBox } from './search-box.tsx'

/** Every entry of the directory: whose it is, its license, and its plans. */
export function BusinessesPanel({ search, onSearch }: PanelProps) {
  const list = useInfiniteQuery(businessesOptions(search.q === undefined ? {} : { q: search.q }))
  return (
    <div className="grid gap-5">
      <SearchBox
        label="Find businesses"
        hint="By words of the name, the description and the place, or by the id."
        value={search.q}
        onSearch={(q) => onSearch({ q })}
      />
      <PagedList
        list={list}
        loadingLabel="Loading businesses..."
        skeleton={<SkeletonRow />}
        failure="The businesses could not be loaded"
        cards="whole"
        empty={<ListNote title="No business found">None has “{search.q}” in its name, description or place.</ListNote>}
      >
        {(businesses) => (
          <Card asChild>
            <ul>
              {businesses.map((business) => (
                <BusinessRow key={business.id} business={business} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </div>
  )
}

const standings: Record<AdminBusiness['licenseStanding'], string> = {
  listed: 'In the register',
  inactive: 'License not in force',
  missing: 'Gone from the register',
  none: 'No license in the register',
}

function BusinessRow({ business }: { business: AdminBusiness }) {
  const { owner, plans, licenseVerifiedThrough } = business
  const [isCorrecting, setCorrecting] = useState(false)
  return (
    <li className="grid gap-x-6 gap-y-2 border-line border-t p-4 first:border-t-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div className="min-w-0">
        <p className="wrap-anywhere">
          <Link to="/business/$id" params={{ id: business.slug }} className={rowLink}>
            {business.name}
          </Link>
        </p>
        <p className="text-muted text-sm">
          {[[business.address, business.location].filter(Boolean).join(', '), standings[business.licenseStanding]]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm pointer-coarse:gap-y-0">
          {owner ? (
            <span>
              Owned by{' '}
              <Link to="/admin" search={{ tab: 'people', person: owner.id }} className={rowLink}>
                {owner.name}
              </Link>
            </span>
          ) : (
            <span className="text-muted">Owned by nobody</span>
          )}
          <Link to="/admin" search={{ tab: 'audit', business: business.id }} className={rowLink}>
            Audit log
          </Link>
          <button type="button" className={rowLink} onClick={() => setCorrecting(true)}>
            Correct the name
          </button>
          {isCorrecting && <CorrectNameDialog business={business} onClose={() => setCorrecting(false)} />}
        </p>
      </div>
      <div className="flex flex-wrap gap-1.5 sm:max-w-64 sm:justify-end">
        {licenseVerifiedThrough && <Badge variant="verified">Verified to {licenseVerifiedThrough}</Badge>}
        {plans.map((plan) => (
          <Badge key={plan} variant="leaf">
            {plan}
          </Badge>
        ))}
        {business.isHidden && <Badge variant="clay">Hidden</Badge>}
        {business.isDemo && <Badge variant="outline">Demo</Badge>}
      </div>
    </li>
  )
}

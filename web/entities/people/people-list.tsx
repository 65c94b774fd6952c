import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { Person, PersonInList } from '#contracts/people.ts'
import { BusinessThumb } from '#web/entities/businesses/business-picture.tsx'
import type { ListPage } from '#web/lib/call.ts'
import { dateFormat } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Menu, MenuContent, MenuTrigger } from '#web/ui/menu.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { FollowButton } from './follow-button.tsx'

type PeopleListProps = {
  list: UseInfiniteQueryResult<{ pages: ListPage<PersonInList>[] }>
  /** "The followers couldn’t be loaded". */
  failure: string
  empty: ReactNode
}

export function PeopleList({ list, failure, empty }: PeopleListProps) {
  return (
    <PagedList list={list} loadingLabel="Loading people..." skeleton={<SkeletonRow />} failure={failure} empty={empty}>
      {(people) => (
        <Rows>
          {people.map((person) => (
            <PersonRow key={person.id} person={person}>
              {person.isSelf ? <Badge>You</Badge> : <FollowButton person={person} size="sm" />}
            </PersonRow>
          ))}
        </Rows>
      )}
    </PagedList>
  )
}

export function Rows({ children }: { children: ReactNode }) {
  return (
    <Card asChild>
      <ul className="divide-y divide-line">{children}</ul>
    </Card>
  )
}

type PersonRowProps = {
  person: Person
  /** False for people without a profile page. */
  isLinked?: boolean
  isSelf?: boolean
  detail?: ReactNode
  children?: ReactNode
}

export function PersonRow({ person, isLinked = true, isSelf = false, detail, children }: PersonRowProps) {
  const { id, name, imageUrl } = person
  return (
    <li className="flex flex-wrap items-center gap-3.5 px-4 py-3 sm:px-5">
      <Avatar id={id} name={name} imageUrl={imageUrl} />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">
          {isLinked ? (
            <Link to="/people/$id" params={{ id }} className="touch-target rounded-tag hover:underline hover:underline-offset-3">
              {name}
            </Link>
          ) : (
            name
          )}
          {isSelf && <span className="text-muted"> (you)</span>}
        </p>
        {detail && <p className="text-muted text-sm">{detail}</p>}
      </div>
      {children}
    </li>
  )
}

const month = dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' })

type MemberRowProps = {
  person: Person
  isSelf: boolean
  since: string
  note?: string | null
  badge: ReactNode
  menu: { label: string; items: ReactNode } | null
  children: ReactNode
}

export function MemberRow({ person, isSelf, since, note, badge, menu, children }: MemberRowProps) {
  const joined = `Since ${month.format(new Date(since))}`
  return (
    <PersonRow person={person} isSelf={isSelf} detail={note ? `${joined} · ${note}` : joined}>
      {badge}
      {menu && (
        <Menu>
          <MenuTrigger asChild>
            <IconButton label={menu.label} size="sm">
              <Ellipsis aria-hidden="true" />
            </IconButton>
          </MenuTrigger>
          <MenuContent>{menu.items}</MenuContent>
        </Menu>
      )}
      {children}
    </PersonRow>
  )
}

export function BusinessLine({ business, children }: { business: BusinessSummary; children?: ReactNode }) {
  const { slug, name, type, location, averageRating, totalRatings } = business
  return (
    <li className="flex items-center gap-3.5 px-4 py-3 sm:px-5">
      <BusinessThumb business={business} />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">
          <Link to="/business/$id" params={{ id: slug }} className="touch-target rounded-tag hover:underline hover:underline-offset-3">
            {name}
          </Link>
        </p>
        <p className="text-muted text-sm">
          {businessTypeLabels[type]} · {location ?? 'Location not set'}
        </p>
      </div>
      <Stars rating={averageRating} count={totalRatings} className="max-sm:hidden" />
      {children}
    </li>
  )
}

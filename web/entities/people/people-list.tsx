import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Person, PersonInList } from '#contracts/people.ts'
import type { ListPage } from '#web/lib/call.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { FollowButton } from './follow-button.tsx'

type PeopleListProps = {
  list: UseInfiniteQueryResult<{ pages: ListPage<PersonInList>[] }>
  /** Error message: "The followers could not be loaded". */
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

/** `children` are actions at the end of the row. `isLinked: false` for people without a profile page. */
export function PersonRow({ person, isLinked = true, children }: { person: Person; isLinked?: boolean; children?: ReactNode }) {
  const { id, name, imageUrl } = person
  return (
    <li className="flex items-center gap-3.5 px-4 py-3 sm:px-5">
      <Avatar id={id} name={name} imageUrl={imageUrl} />
      <p className="min-w-0 flex-1 font-medium wrap-anywhere">
        {isLinked ? (
          <Link to="/people/$id" params={{ id }} className="touch-target rounded-tag hover:underline hover:underline-offset-3">
            {name}
          </Link>
        ) : (
          name
        )}
      </p>
      {children}
    </li>
  )
}

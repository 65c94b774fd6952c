import { useInfiniteQuery } from '@tanstack/react-query'
import type { AdminPerson } from '../../../contracts/admin.ts'
import { Ago } from '../../ui/ago.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Card } from '../../ui/card.tsx'
import { cardLink } from '../../ui/link-styles.ts'
import { ListNote, PagedList } from '../../ui/paged-list.tsx'
import { SkeletonRow } from '../../ui/skeleton.tsx'
import { peopleOptions } from './admin.api.ts'
import type { PanelProps } from './admin-search.ts'
import { PersonBadges } from './person-badges.tsx'
import { PersonDialog } from './person-dialog.tsx'
import { SearchBox } from './search-box.tsx'

/** Everybody, found by name or address. An address is shown to whoever opens a person, and that is written down. */
export function PeoplePanel({ search, onSearch }: PanelProps) {
  const list = useInfiniteQuery(peopleOptions(search.q === undefined ? {} : { q: search.q }))
  return (
    <div className="grid gap-5">
      <SearchBox
        label="Find people"
        hint="By a part of the name or the email address, or by the id."
        value={search.q}
        onSearch={(q) => onSearch({ q })}
      />
      <PagedList
        list={list}
        loadingLabel="Loading people..."
        skeleton={<SkeletonRow />}
        failure="The people could not be loaded"
        cards="whole"
        empty={<ListNote title="Nobody found">Nobody’s name or address has “{search.q}” in it.</ListNote>}
      >
        {(people) => (
          <Card asChild>
            <ul>
              {people.map((person) => (
                <PersonRow key={person.id} person={person} onOpen={() => onSearch({ ...search, person: person.id })} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
      {search.person && <PersonDialog id={search.person} onClose={() => onSearch({ ...search, person: undefined })} />}
    </div>
  )
}

function PersonRow({ person, onOpen }: { person: AdminPerson; onOpen: () => void }) {
  return (
    <li className="relative flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t p-4 transition-colors first:border-t-0 hover:bg-sunk/60">
      <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} />
      <div className="min-w-0 flex-1">
        <button type="button" onClick={onOpen} className={`${cardLink} max-w-full truncate text-left font-medium`}>
          {person.name}
        </button>
        <p className="text-muted text-sm">
          Joined <Ago at={person.createdAt} />
        </p>
      </div>
      <div className="flex basis-full flex-wrap gap-1.5 pl-13 empty:hidden sm:basis-auto sm:justify-end sm:pl-0">
        <PersonBadges person={person} />
      </div>
    </li>
  )
}

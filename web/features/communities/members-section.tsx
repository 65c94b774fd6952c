import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Community } from '../../../contracts/communities.ts'
import { counted } from '../../lib/counted.ts'
import { Card } from '../../ui/card.tsx'
import { Input } from '../../ui/input.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ListNote, PagedList } from '../../ui/paged-list.tsx'
import { SkeletonRow } from '../../ui/skeleton.tsx'
import { ownerFirst } from './about-section.tsx'
import { membersOptions, teamOptions } from './communities.api.ts'
import { MemberRow } from './member-row.tsx'

/** Who is in a community, for its members: who runs it, then the others, the last joined first. */
export function MembersSection({ community }: { community: Community }) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const team = useQuery(teamOptions(community.id))
  return (
    <div className="mx-auto grid max-w-feed gap-6">
      <div className="grid gap-1">
        <h2 className="text-xl">{counted(community.memberCount, 'member')}</h2>
        <p className="text-muted text-sm">Whoever a block stands between is counted, but not listed.</p>
      </div>
      <Input
        type="search"
        aria-label="Search members by name"
        placeholder="Search by name"
        maxLength={80}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        start={<Search aria-hidden="true" />}
      />
      {search === '' && (
        <section aria-labelledby="community-team" className="grid gap-3">
          <h3 id="community-team" className="font-medium">
            Who runs it
          </h3>
          <Loaded query={team} loadingLabel="Loading who runs it..." skeleton={<SkeletonRow />} failure="Who runs it could not be loaded">
            {(people) => (
              <Card asChild className="overflow-visible!">
                <ul className="divide-y divide-line">
                  {ownerFirst(people).map((member) => (
                    <MemberRow key={member.person.id} community={community} member={member} />
                  ))}
                </ul>
              </Card>
            )}
          </Loaded>
        </section>
      )}
      <Others community={community} search={search} />
    </div>
  )
}

function Others({ community, search }: { community: Community; search: string }) {
  const list = useInfiniteQuery(membersOptions(community.id, search))
  return (
    <section aria-labelledby="community-members" className="grid gap-3">
      <h3 id="community-members" className="font-medium">
        {search ? 'Found' : 'Members'}
      </h3>
      <PagedList
        list={list}
        loadingLabel="Loading members..."
        skeleton={<SkeletonRow />}
        failure="The members could not be loaded"
        cards="whole"
        empty={
          search ? (
            <ListNote title={`Nobody here is called “${search}”`} />
          ) : (
            <ListNote title="No other members yet">
              {community.abilities.invite ? 'Invite people under Manage.' : 'Whoever joins next stands here.'}
            </ListNote>
          )
        }
      >
        {(members) => (
          <Card asChild className="overflow-visible!">
            <ul className="divide-y divide-line">
              {members.map((member) => (
                <MemberRow key={member.person.id} community={community} member={member} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </section>
  )
}

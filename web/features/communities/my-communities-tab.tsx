import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Community, CommunityStats } from '../../../contracts/communities.ts'
import { counted } from '../../lib/counted.ts'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { cardLink } from '../../ui/link-styles.ts'
import { PagedList } from '../../ui/paged-list.tsx'
import { SkeletonRow } from '../../ui/skeleton.tsx'
import { communityStatsOptions, myCommunitiesOptions } from './communities.api.ts'
import { CommunityPicture } from './community-picture.tsx'
import { countWords, roleNames, visibilityNames } from './community-words.ts'
import { ReceivedInvitations } from './received-invitations.tsx'

/** The communities that one is in, what one did there, and where one is invited. */
export function MyCommunitiesTab() {
  const list = useInfiniteQuery(myCommunitiesOptions)
  return (
    <div className="grid gap-7">
      <Stats />
      <ReceivedInvitations />
      <PagedList
        list={list}
        loadingLabel="Loading your communities..."
        skeleton={<SkeletonRow />}
        failure="Your communities could not be loaded"
        cards="whole"
        empty={
          <EmptyState
            title="Join Your First Community"
            description="Read along in a public one, ask to be let into another, or begin your own."
          >
            <Button asChild size="lg">
              <Link to="/communities" search={{}}>
                Discover communities
              </Link>
            </Button>
            <Button asChild size="lg" variant="secondary">
              <Link to="/communities" search={{ tab: 'create' }}>
                Create one
              </Link>
            </Button>
          </EmptyState>
        }
      >
        {(communities) => (
          <Card asChild>
            <ul className="divide-y divide-line" aria-label="My communities">
              {communities.map((community) => (
                <MineRow key={community.id} community={community} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </div>
  )
}

const statNames: Record<keyof CommunityStats, string> = {
  communities: 'Communities',
  posts: 'Posts',
  comments: 'Comments',
  likes: 'Likes received',
}

/** A dash stands for what has not come, or did not: the list below says what went wrong. */
function Stats() {
  const { data } = useQuery(communityStatsOptions)
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {Object.entries(statNames).map(([name, text]) => (
        <div key={name} className="flex flex-col-reverse rounded-card border border-line bg-surface px-4 py-3">
          <dt className="text-muted text-sm">{text}</dt>
          <dd className="font-display text-2xl tabular-nums">{data ? formatNumber(data[name as keyof CommunityStats]) : '–'}</dd>
        </div>
      ))}
    </dl>
  )
}

function MineRow({ community }: { community: Community }) {
  const { slug, name, myRole, visibility, requestsCount, isHidden } = community
  return (
    <li className="relative flex items-center gap-4 p-3 transition-colors hover:bg-sunk/60 has-[.card-link:focus-visible]:outline-2 has-[.card-link:focus-visible]:-outline-offset-2 has-[.card-link:focus-visible]:outline-focus sm:px-5 sm:py-4">
      <CommunityPicture community={community} className="h-14 w-20! shrink-0 rounded-input sm:w-24!" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link to="/communities/$id" params={{ id: slug }} className={`${cardLink} font-medium wrap-anywhere`}>
            {name}
          </Link>
          {myRole && myRole !== 'member' && <Badge variant="leaf">{roleNames[myRole]}</Badge>}
          {isHidden && <Badge variant="clay">Not shown to others</Badge>}
        </p>
        <p className="text-muted text-sm tabular-nums">{`${visibilityNames[visibility]} · ${countWords(community)}`}</p>
      </div>
      {requestsCount !== null && requestsCount > 0 && (
        <Link
          to="/communities/$id"
          params={{ id: slug }}
          search={{ section: 'manage' }}
          className="touch-target relative z-1 rounded-tag font-medium text-leaf text-sm hover:underline hover:underline-offset-3"
        >
          {counted(requestsCount, 'request')}
          <span className="sr-only"> to join {name}</span>
        </Link>
      )}
    </li>
  )
}

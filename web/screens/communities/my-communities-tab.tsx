import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { acceptCommunityInvitation, declineCommunityInvitation } from '#contracts/calls/community-members.ts'
import type { Community, CommunityStats } from '#contracts/communities.ts'
import type { ReceivedInvitation } from '#contracts/community-members.endpoints.ts'
import {
  communityStatsOptions,
  myCommunitiesOptions,
  receivedInvitationsOptions,
  refreshMine,
  showCommunity,
} from '#web/entities/communities/communities.api.ts'
import { countWords, roleNames, visibilityNames } from '#web/entities/communities/community-words.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { cardLink } from '#web/ui/link-styles.ts'
import { MorePages, PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { CommunityPicture } from './community-parts.tsx'

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
        failure="Your communities couldn’t be loaded"
        cards="whole"
        empty={
          <EmptyState title="Join Your First Community" description="Read a public one, ask to join another or start your own.">
            <Button asChild size="lg">
              <Link to="/communities" search={{}}>
                Discover communities
              </Link>
            </Button>
            <Button asChild size="lg" variant="secondary">
              <Link to="/communities" search={{ tab: 'create' }}>
                Create community
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

/** Shows a dash while loading and on failure, because the list below reports errors. */
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
          {isHidden && <Badge variant="clay">Hidden from others</Badge>}
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

type Received = ReceivedInvitation & { id: string }

function ReceivedInvitations() {
  const list = useInfiniteQuery(receivedInvitationsOptions)
  const invitations = (list.data?.pages ?? []).flatMap((page) => page.items)
  if (invitations.length === 0) return null
  return (
    <section aria-labelledby="received-invitations" className="grid gap-3">
      <h2 id="received-invitations" className="text-xl">
        You’re invited
      </h2>
      <Card asChild>
        <ul className="divide-y divide-line">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      </Card>
      <MorePages list={list} />
    </section>
  )
}

function InvitationRow({ invitation: { id, community, invitedBy } }: { invitation: Received }) {
  const client = useQueryClient()
  const router = useRouter()
  const onError = (error: Error) => {
    toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
    refreshMine(client)
  }
  const accept = useMutation({
    mutationFn: () => call(acceptCommunityInvitation, { params: { token: id } }),
    onSuccess: async (joined) => {
      showCommunity(client, joined)
      refreshMine(client)
      await router.navigate({ to: '/communities/$id', params: { id: joined.slug } })
    },
    onError,
  })
  const decline = useMutation({
    mutationFn: () => call(declineCommunityInvitation, { params: { token: id } }),
    onSuccess: () => {
      toast({ title: 'Invitation declined', description: 'No one will be notified.' })
      refreshMine(client)
    },
    onError,
  })
  if (!community) return null
  const by = invitedBy ? `${invitedBy.name} invited you` : 'You’re invited'
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 p-3 sm:px-5 sm:py-4">
      <CommunityPicture community={community} className="h-14 w-20! shrink-0 rounded-input" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">{community.name}</p>
        <p className="text-muted text-sm wrap-anywhere">
          {`${by} · ${visibilityNames[community.visibility]} · ${counted(community.memberCount, 'member')}`}
        </p>
      </div>
      <div className="flex gap-2">
        <Button onClick={() => accept.mutate()} pending={accept.isPending} pendingText="Joining...">
          Accept<span className="sr-only"> the invitation to {community.name}</span>
        </Button>
        <Button variant="quiet" onClick={() => decline.mutate()} pending={decline.isPending}>
          Decline<span className="sr-only"> the invitation to {community.name}</span>
        </Button>
      </div>
    </li>
  )
}

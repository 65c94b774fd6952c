import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AdminCommunity } from '#contracts/admin.endpoints.ts'
import { verifyCommunity } from '#contracts/calls/communities.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { communitiesOptions, refreshCommunities } from './admin.api.ts'
import type { PanelProps } from './admin-search.ts'
import { rowLink, SearchBox } from './search-box.tsx'

export function CommunitiesPanel({ search, onSearch }: PanelProps) {
  const list = useInfiniteQuery(communitiesOptions(search.q === undefined ? {} : { q: search.q }))
  return (
    <div className="grid gap-5">
      <SearchBox
        label="Find communities"
        hint="Search by name or description. Private communities are visible only to their members, and to moderators when something in them is reported."
        value={search.q}
        onSearch={(q) => onSearch({ q })}
      />
      <PagedList
        list={list}
        loadingLabel="Loading communities..."
        skeleton={<SkeletonRow />}
        failure="The communities couldn’t be loaded"
        cards="whole"
        empty={
          <ListNote title={search.q ? 'No communities found' : 'No communities yet'}>
            {search.q ? `No name or description contains “${search.q}”.` : 'New communities appear here.'}
          </ListNote>
        }
      >
        {(communities) => (
          <Card asChild>
            <ul>
              {communities.map((community) => (
                <CommunityRow key={community.id} community={community} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </div>
  )
}

function CommunityRow({ community }: { community: AdminCommunity }) {
  const { owner, openCases } = community
  return (
    <li className="grid gap-x-6 gap-y-3 border-line border-t p-4 first:border-t-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <Link to="/communities/$id" params={{ id: community.slug }} className={rowLink}>
            {community.name}
          </Link>
          {community.isVerified && <Badge variant="leaf">Verified</Badge>}
          {community.visibility === 'invite_only' && <Badge variant="outline">Invite only</Badge>}
          {community.isHidden && <Badge variant="clay">Hidden</Badge>}
          {community.isDemo && <Badge variant="outline">Demo</Badge>}
        </p>
        <p className="text-muted text-sm">
          {[
            counted(community.membersCount, 'member'),
            counted(community.postsCount, 'post'),
            openCases > 0 && counted(openCases, 'open report'),
            owner && `owned by ${owner.name}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <VerifiedSwitch community={community} />
    </li>
  )
}

function VerifiedSwitch({ community: { id, name, isVerified } }: { community: AdminCommunity }) {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: () => call(verifyCommunity, { params: { id }, body: { isVerified: !isVerified } }),
    onSuccess: async () => {
      toast({ title: isVerified ? 'Badge removed' : 'Verified', description: name })
      await refreshCommunities(client)
    },
    onError: (error) => toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <Button
      variant="secondary"
      size="sm"
      className="justify-self-start"
      aria-label={isVerified ? `Remove badge from ${name}` : `Verify ${name}`}
      pending={change.isPending}
      pendingText="One moment..."
      onClick={() => change.mutate()}
    >
      {isVerified ? 'Remove badge' : 'Verify'}
    </Button>
  )
}

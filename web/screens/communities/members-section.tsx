import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Crown, Search, UserMinus, UserRoundCog } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { removeCommunityMember, setCommunityRole, transferCommunity } from '#contracts/calls/community-members.ts'
import type { Community } from '#contracts/communities.ts'
import type { CommunityMember } from '#contracts/community-members.endpoints.ts'
import { membersOptions, refreshMembers, showCommunity, teamOptions } from '#web/entities/communities/communities.api.ts'
import { roleNames } from '#web/entities/communities/community-words.ts'
import { MemberRow } from '#web/entities/people/people-list.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted, localDateFormat } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Input } from '#web/ui/input.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { ownerFirst } from './about-section.tsx'

export function MembersSection({ community }: { community: Community }) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const team = useQuery(teamOptions(community.id))
  return (
    <div className="mx-auto grid max-w-feed gap-6">
      <div className="grid gap-1">
        <h2 className="text-xl">{counted(community.memberCount, 'member')}</h2>
        {community.myRole !== 'owner' && (
          <p className="text-muted text-sm">
            {community.myRole === 'moderator' ? 'Blocked moderators and a blocked owner' : 'Blocked people'} are counted but not listed.
          </p>
        )}
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
            Moderators
          </h3>
          <Loaded query={team} loadingLabel="Loading moderators..." skeleton={<SkeletonRow />} failure="The moderators couldn’t be loaded">
            {(people) => (
              <Card asChild className="overflow-visible!">
                <ul className="divide-y divide-line">
                  {ownerFirst(people).map((member) => (
                    <CommunityMemberRow key={member.person.id} community={community} member={member} />
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
        failure="The members couldn’t be loaded"
        cards="whole"
        empty={
          search ? (
            <ListNote title={`No members match “${search}”`} />
          ) : (
            <ListNote title="No other members yet">
              {community.abilities.invite ? 'Invite people under Manage.' : 'New members appear here.'}
            </ListNote>
          )
        }
      >
        {(members) => (
          <Card asChild className="overflow-visible!">
            <ul className="divide-y divide-line">
              {members.map((member) => (
                <CommunityMemberRow key={member.person.id} community={community} member={member} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </section>
  )
}

const moment = localDateFormat({ dateStyle: 'medium', timeStyle: 'short' })

function CommunityMemberRow({ community, member }: { community: Community; member: CommunityMember }) {
  const { person, role, isSelf, joinedAt, mutedUntil, abilities } = member
  const { name } = person
  const [dialog, setDialog] = useState<'remove' | 'hand-over' | null>(null)
  const actions = useMemberActions(community, member, () => setDialog(null))
  const mayHandOver = community.abilities.edit && role === 'moderator' && !isSelf
  return (
    <MemberRow
      person={person}
      isSelf={isSelf}
      since={joinedAt}
      note={mutedUntil && `muted until ${moment.format(new Date(mutedUntil))}`}
      badge={role !== 'member' && <Badge variant={role === 'owner' ? 'leaf' : 'neutral'}>{roleNames[role]}</Badge>}
      menu={
        abilities.changeRole || abilities.remove || mayHandOver
          ? {
              label: `Change ${name}`,
              items: (
                <>
                  {abilities.changeRole && (
                    <MenuItem onSelect={() => actions.change.mutate(role === 'moderator' ? 'member' : 'moderator')}>
                      <UserRoundCog aria-hidden="true" />
                      {role === 'moderator' ? 'Make a member' : 'Make a moderator'}
                    </MenuItem>
                  )}
                  {mayHandOver && (
                    <MenuItem onSelect={() => setDialog('hand-over')}>
                      <Crown aria-hidden="true" />
                      Transfer ownership
                    </MenuItem>
                  )}
                  {abilities.remove && (
                    <MenuItem danger onSelect={() => setDialog('remove')}>
                      <UserMinus aria-hidden="true" />
                      Remove
                    </MenuItem>
                  )}
                </>
              ),
            }
          : null
      }
    >
      <ConfirmDialog
        open={dialog === 'remove'}
        onOpenChange={(open) => setDialog(open ? 'remove' : null)}
        title={`Remove ${name}?`}
        confirmText="Remove"
        onConfirm={() => actions.remove.mutate()}
        pending={actions.remove.isPending}
        pendingText="Removing..."
      >
        {community.visibility === 'public'
          ? 'Their posts won’t be deleted, and they can rejoin. To keep someone out, report one of their posts and ban them under Moderation.'
          : 'They won’t be able to read this community anymore unless someone lets them back in. Their posts won’t be deleted.'}
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'hand-over'}
        onOpenChange={(open) => setDialog(open ? 'hand-over' : null)}
        title={`Transfer ${community.name} to ${name}?`}
        confirmText="Transfer ownership"
        onConfirm={() => actions.handOver.mutate()}
        pending={actions.handOver.isPending}
        pendingText="Transferring..."
      >
        They’ll own it, and you’ll be a moderator. Only they can transfer it back.
      </ConfirmDialog>
    </MemberRow>
  )
}

function useMemberActions(community: Community, { person }: CommunityMember, onDone: () => void) {
  const client = useQueryClient()
  const params = { id: community.id, personId: person.id }
  const onError = (error: Error) => {
    onDone()
    toast({ title: 'The change wasn’t saved', description: messageOf(error), variant: 'destructive' })
    // Someone else may have changed the members in the meantime.
    return refreshMembers(client, community.id)
  }
  const change = useMutation({
    mutationFn: (role: 'moderator' | 'member') => call(setCommunityRole, { params, body: { role } }),
    onSuccess: (_, role) => {
      toast({ title: `${person.name} is now a ${role}` })
      return refreshMembers(client, community.id)
    },
    onError,
  })
  const remove = useMutation({
    mutationFn: () => call(removeCommunityMember, { params }),
    onSuccess: () => {
      onDone()
      toast({ title: `${person.name} removed` })
      return refreshMembers(client, community.id)
    },
    onError,
  })
  const handOver = useMutation({
    mutationFn: () => call(transferCommunity, { params: { id: community.id }, body: { personId: person.id } }),
    onSuccess: (after) => {
      onDone()
      showCommunity(client, after)
      toast({ title: `${person.name} is now the owner`, description: 'You’re now a moderator.' })
      return refreshMembers(client, community.id)
    },
    onError,
  })
  return { change, remove, handOver }
}

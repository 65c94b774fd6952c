import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Crown, Ellipsis, Search, UserMinus, UserRoundCog } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Community } from '#contracts/communities.ts'
import { type CommunityMember, handOverCommunity, removeCommunityMember, setCommunityRole } from '#contracts/community-members.ts'
import { membersOptions, refreshMembers, showCommunity, teamOptions } from '#web/entities/communities/communities.api.ts'
import { roleNames } from '#web/entities/communities/community-words.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { dateFormat, localDateFormat } from '#web/lib/format.ts'
import { counted } from '#web/lib/grammar.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Input } from '#web/ui/input.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { ownerFirst } from './about-section.tsx'

/** Members, visible to members only: moderators first, then newest first. */
export function MembersSection({ community }: { community: Community }) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const team = useQuery(teamOptions(community.id))
  return (
    <div className="mx-auto grid max-w-feed gap-6">
      <div className="grid gap-1">
        <h2 className="text-xl">{counted(community.memberCount, 'member')}</h2>
        <p className="text-muted text-sm">Blocked people are counted but not listed.</p>
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
          <Loaded query={team} loadingLabel="Loading moderators..." skeleton={<SkeletonRow />} failure="The moderators could not be loaded">
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
                <MemberRow key={member.person.id} community={community} member={member} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </section>
  )
}

const month = dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' })
const moment = localDateFormat({ dateStyle: 'medium', timeStyle: 'short' })

function MemberRow({ community, member }: { community: Community; member: CommunityMember }) {
  const { person, role, isSelf, joinedAt, mutedUntil, abilities } = member
  const { name } = person
  const [dialog, setDialog] = useState<'remove' | 'hand-over' | null>(null)
  const actions = useMemberActions(community, member, () => setDialog(null))
  const mayHandOver = community.abilities.edit && role === 'moderator' && !isSelf
  return (
    <li className="flex items-center gap-3.5 px-4 py-3 sm:px-5">
      <Avatar id={person.id} name={name} imageUrl={person.imageUrl} />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">
          <Link to="/people/$id" params={{ id: person.id }} className="touch-target rounded-tag hover:underline hover:underline-offset-3">
            {name}
          </Link>
          {isSelf && <span className="text-muted"> (you)</span>}
        </p>
        <p className="text-muted text-sm">
          Since {month.format(new Date(joinedAt))}
          {mutedUntil && ` · muted until ${moment.format(new Date(mutedUntil))}`}
        </p>
      </div>
      {role !== 'member' && <Badge variant={role === 'owner' ? 'leaf' : 'neutral'}>{roleNames[role]}</Badge>}
      {(abilities.changeRole || abilities.remove || mayHandOver) && (
        <Menu>
          <MenuTrigger asChild>
            <IconButton label={`Change ${name}`} size="sm">
              <Ellipsis aria-hidden="true" />
            </IconButton>
          </MenuTrigger>
          <MenuContent>
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
          </MenuContent>
        </Menu>
      )}
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
          ? 'Their posts stay, and they can rejoin. To keep someone out, report a post of theirs and ban them under Moderation.'
          : 'They can’t read it anymore unless they’re let in again. Their posts stay.'}
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
    </li>
  )
}

function useMemberActions(community: Community, { person }: CommunityMember, onDone: () => void) {
  const client = useQueryClient()
  const params = { id: community.id, personId: person.id }
  const onError = (error: Error) => {
    onDone()
    toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' })
    // Someone else may have changed it in the meantime.
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
    mutationFn: () => call(handOverCommunity, { params: { id: community.id }, body: { personId: person.id } }),
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

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Crown, Ellipsis, UserMinus, UserRoundCog } from 'lucide-react'
import { useState } from 'react'
import type { Community } from '../../../contracts/communities.ts'
import { type CommunityMember, handOverCommunity, removeCommunityMember, setCommunityRole } from '../../../contracts/community-members.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { dateFormat, localDateFormat } from '../../lib/format.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast-store.ts'
import { refreshMembers, showCommunity } from './communities.api.ts'
import { roleNames } from './community-words.ts'

const month = dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' })
const moment = localDateFormat({ dateStyle: 'medium', timeStyle: 'short' })

/** A member, with what this viewer can do about them. */
export function MemberRow({ community, member }: { community: Community; member: CommunityMember }) {
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
                Hand the community over
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
          ? 'What they wrote stays, and they can join again. To keep somebody out, report what they wrote and ban them under Moderation.'
          : 'They do not read it any more, and need to be let in again. What they wrote stays.'}
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'hand-over'}
        onOpenChange={(open) => setDialog(open ? 'hand-over' : null)}
        title={`Hand ${community.name} over to ${name}?`}
        confirmText="Hand it over"
        onConfirm={() => actions.handOver.mutate()}
        pending={actions.handOver.isPending}
        pendingText="Handing over..."
      >
        They will own it, and you will be a moderator. Only they can give it back.
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
    // Somebody else may have changed it in between.
    return refreshMembers(client, community.id)
  }
  const change = useMutation({
    mutationFn: (role: 'moderator' | 'member') => call(setCommunityRole, { params, body: { role } }),
    onSuccess: (_, role) => {
      toast({ title: `${person.name} is a ${role} now` })
      return refreshMembers(client, community.id)
    },
    onError,
  })
  const remove = useMutation({
    mutationFn: () => call(removeCommunityMember, { params }),
    onSuccess: () => {
      onDone()
      toast({ title: `${person.name} is not in the community any more` })
      return refreshMembers(client, community.id)
    },
    onError,
  })
  const handOver = useMutation({
    mutationFn: () => call(handOverCommunity, { params: { id: community.id }, body: { personId: person.id } }),
    onSuccess: (after) => {
      onDone()
      showCommunity(client, after)
      toast({ title: `${person.name} owns the community now`, description: 'You are a moderator.' })
      return refreshMembers(client, community.id)
    },
    onError,
  })
  return { change, remove, handOver }
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Crown, Ellipsis, LogOut, UserMinus, UserRoundCog } from 'lucide-react'
import { useState } from 'react'
import { changeTeamRole, type HelperRole, removeFromTeam, type TeamMember, transferBusiness } from '../../../contracts/team.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { dateFormat } from '../../lib/format.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast-store.ts'
import { roleNames } from './role-words.ts'
import { keepTeam, refreshBusinesses, teamOptions } from './team.api.ts'

const month = dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' })

type MemberRowProps = { business: { id: string; name: string }; member: TeamMember; canLeave: boolean }

export function MemberRow({ business, member, canLeave }: MemberRowProps) {
  const { name, role, isSelf, abilities } = member
  const [dialog, setDialog] = useState<'remove' | 'transfer' | null>(null)
  const actions = useMemberActions(business, member, () => setDialog(null))
  const mayLeave = isSelf && canLeave
  const other: HelperRole = role === 'manager' ? 'staff' : 'manager'
  return (
    <li className="flex items-center gap-3.5 px-4 py-3 sm:px-5">
      <Avatar id={member.id} name={name} imageUrl={member.imageUrl} />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">
          <Link to="/people/$id" params={{ id: member.id }} className="touch-target rounded-tag hover:underline hover:underline-offset-3">
            {name}
          </Link>
          {isSelf && <span className="text-muted"> (you)</span>}
        </p>
        <p className="text-muted text-sm">Since {month.format(new Date(member.since))}</p>
      </div>
      <Badge variant={role === 'owner' ? 'leaf' : 'neutral'}>{roleNames[role]}</Badge>
      {(mayLeave || abilities.changeRole || abilities.remove || abilities.makeOwner) && (
        <Menu>
          <MenuTrigger asChild>
            <IconButton label={isSelf ? 'Your place in the team' : `Change ${name}`} size="sm">
              <Ellipsis aria-hidden="true" />
            </IconButton>
          </MenuTrigger>
          <MenuContent>
            {abilities.changeRole && (
              <MenuItem onSelect={() => actions.change.mutate(other)}>
                <UserRoundCog aria-hidden="true" />
                Make {other === 'manager' ? 'a manager' : 'staff'}
              </MenuItem>
            )}
            {abilities.makeOwner && (
              <MenuItem onSelect={() => setDialog('transfer')}>
                <Crown aria-hidden="true" />
                Hand the business over
              </MenuItem>
            )}
            {abilities.remove && (
              <MenuItem danger onSelect={() => setDialog('remove')}>
                <UserMinus aria-hidden="true" />
                Remove from the team
              </MenuItem>
            )}
            {mayLeave && (
              <MenuItem danger onSelect={() => setDialog('remove')}>
                <LogOut aria-hidden="true" />
                Leave the team
              </MenuItem>
            )}
          </MenuContent>
        </Menu>
      )}
      <ConfirmDialog
        open={dialog === 'remove'}
        onOpenChange={(open) => setDialog(open ? 'remove' : null)}
        title={isSelf ? `Leave ${business.name}?` : `Remove ${name}?`}
        confirmText={isSelf ? 'Leave the team' : 'Remove from the team'}
        onConfirm={() => actions.remove.mutate()}
        pending={actions.remove.isPending}
        pendingText={isSelf ? 'Leaving...' : 'Removing...'}
      >
        {isSelf
          ? 'You will not see or change anything of it any more, until somebody invites you again.'
          : 'They will not see or change anything of it any more. What they wrote in its name stays; invitations they sent end.'}
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'transfer'}
        onOpenChange={(open) => setDialog(open ? 'transfer' : null)}
        title={`Hand ${business.name} over to ${name}?`}
        confirmText="Hand it over"
        onConfirm={() => actions.transfer.mutate()}
        pending={actions.transfer.isPending}
        pendingText="Handing over..."
      >
        They will be the owner, and you a manager: the team, the plans and what the business earns will be theirs to decide. Only they can
        give it back.
      </ConfirmDialog>
    </li>
  )
}

function useMemberActions(business: { id: string; name: string }, member: TeamMember, onDone: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const params = { id: business.id, userId: member.id }
  const onError = (error: Error) => {
    onDone()
    toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' })
    // Somebody else may have changed the team in between.
    void client.invalidateQueries({ queryKey: teamOptions(business.id).queryKey })
  }
  const change = useMutation({
    mutationFn: (role: HelperRole) => call(changeTeamRole, { params, body: { role } }),
    onSuccess: (team, role) => {
      keepTeam(client, team)
      toast({ title: `${member.name} is ${role === 'manager' ? 'a manager' : 'staff'} now` })
    },
    onError,
  })
  const transfer = useMutation({
    mutationFn: () => call(transferBusiness, { params: { id: business.id }, body: { userId: member.id } }),
    onSuccess: (team) => {
      onDone()
      keepTeam(client, team)
      toast({ title: `${member.name} is the owner now`, description: 'You are a manager.' })
      return refreshBusinesses(client)
    },
    onError,
  })
  const remove = useMutation({
    mutationFn: () => call(removeFromTeam, { params }),
    onSuccess: async () => {
      onDone()
      if (!member.isSelf) {
        toast({ title: `${member.name} is not in the team any more` })
        return client.invalidateQueries({ queryKey: teamOptions(business.id).queryKey })
      }
      toast({ title: `You left ${business.name}` })
      await navigate({ to: '/business-dashboard', search: {} })
      client.removeQueries({ queryKey: teamOptions(business.id).queryKey })
      return refreshBusinesses(client)
    },
    onError,
  })
  return { change, transfer, remove }
}

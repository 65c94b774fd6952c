import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Crown, LogOut, UserMinus, UserRoundCog } from 'lucide-react'
import { useState } from 'react'
import { changeTeamRole, removeFromTeam, transferBusiness } from '#contracts/calls/team.ts'
import type { HelperRole, TeamMember } from '#contracts/team.ts'
import { refreshMyBusinesses } from '#web/entities/businesses/businesses.api.ts'
import { MemberRow } from '#web/entities/people/people-list.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Badge } from '#web/ui/badge.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { roleNames } from './role-words.ts'
import { cacheTeam, dropTeam, refreshTeam } from './team.api.ts'

type TeamMemberRowProps = { business: { id: string; name: string }; member: TeamMember; canLeave: boolean }

export function TeamMemberRow({ business, member, canLeave }: TeamMemberRowProps) {
  const { name, role, isSelf, abilities } = member
  const [dialog, setDialog] = useState<'remove' | 'transfer' | null>(null)
  const actions = useMemberActions(business, member, () => setDialog(null))
  const mayLeave = isSelf && canLeave
  const other: HelperRole = role === 'manager' ? 'staff' : 'manager'
  return (
    <MemberRow
      person={member}
      isSelf={isSelf}
      since={member.since}
      badge={<Badge variant={role === 'owner' ? 'leaf' : 'neutral'}>{roleNames[role]}</Badge>}
      menu={
        mayLeave || abilities.changeRole || abilities.remove || abilities.makeOwner
          ? {
              label: isSelf ? 'Your role in the team' : `Change ${name}`,
              items: (
                <>
                  {abilities.changeRole && (
                    <MenuItem onSelect={() => actions.change.mutate(other)}>
                      <UserRoundCog aria-hidden="true" />
                      Make {other === 'manager' ? 'a manager' : 'staff'}
                    </MenuItem>
                  )}
                  {abilities.makeOwner && (
                    <MenuItem onSelect={() => setDialog('transfer')}>
                      <Crown aria-hidden="true" />
                      Transfer ownership
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
                </>
              ),
            }
          : null
      }
    >
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
          ? 'You won’t be able to see or change its dashboard anymore unless someone invites you again.'
          : 'They won’t be able to see or change its dashboard anymore. What they wrote for the business stays, and invitations they sent are canceled.'}
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'transfer'}
        onOpenChange={(open) => setDialog(open ? 'transfer' : null)}
        title={`Transfer ${business.name} to ${name}?`}
        confirmText="Transfer ownership"
        onConfirm={() => actions.transfer.mutate()}
        pending={actions.transfer.isPending}
        pendingText="Transferring..."
      >
        They’ll be the owner, and you’ll be a manager. They’ll control the team, the plans and the business’s earnings. Only they can
        transfer it back.
      </ConfirmDialog>
    </MemberRow>
  )
}

function useMemberActions(business: { id: string; name: string }, member: TeamMember, onDone: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const params = { id: business.id, userId: member.id }
  const onError = (error: Error) => {
    onDone()
    toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' })
    // Someone else may have changed the team in the meantime.
    void refreshTeam(client)
  }
  const change = useMutation({
    mutationFn: (role: HelperRole) => call(changeTeamRole, { params, body: { role } }),
    onSuccess: (team, role) => {
      cacheTeam(client, team)
      toast({ title: `${member.name} is now ${role === 'manager' ? 'a manager' : 'staff'}` })
    },
    onError,
  })
  const transfer = useMutation({
    mutationFn: () => call(transferBusiness, { params: { id: business.id }, body: { userId: member.id } }),
    onSuccess: (team) => {
      onDone()
      cacheTeam(client, team)
      toast({ title: `${member.name} is now the owner`, description: 'You’re now a manager.' })
      return refreshMyBusinesses(client)
    },
    onError,
  })
  const remove = useMutation({
    mutationFn: () => call(removeFromTeam, { params }),
    onSuccess: async () => {
      onDone()
      if (!member.isSelf) {
        toast({ title: `${member.name} removed from the team` })
        return refreshTeam(client)
      }
      toast({ title: `You left ${business.name}` })
      await navigate({ to: '/business-dashboard', search: {} })
      dropTeam(client, business.id)
      return refreshMyBusinesses(client)
    },
    onError,
  })
  return { change, transfer, remove }
}

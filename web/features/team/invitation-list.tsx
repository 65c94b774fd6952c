import { useMutation, useQueryClient } from '@tanstack/react-query'
import { resendInvitation, revokeInvitation, type Team, type TeamInvitation } from '../../../contracts/team.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { localDateFormat } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { toast } from '../../ui/toast-store.ts'
import { roleNames } from './role-words.ts'
import { keepTeam } from './team.api.ts'

const day = localDateFormat({ month: 'long', day: 'numeric' })

export function InvitationList({ businessId, invitations }: { businessId: string; invitations: readonly TeamInvitation[] }) {
  return (
    <section aria-labelledby="invitations" className="grid gap-3">
      <h2 id="invitations" className="text-xl">
        Invited
      </h2>
      <Card asChild>
        <ul className="divide-y divide-line">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} businessId={businessId} invitation={invitation} />
          ))}
        </ul>
      </Card>
    </section>
  )
}

function InvitationRow({ businessId, invitation }: { businessId: string; invitation: TeamInvitation }) {
  const { email, role, invitedBy, expiresAt, isExpired, canChange } = invitation
  const client = useQueryClient()
  const params = { id: businessId, invitationId: invitation.id }
  const told = (title: string) => (team: Team) => {
    keepTeam(client, team)
    toast({ title, description: email })
  }
  const onError = (error: Error) => void toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' })
  const resend = useMutation({ mutationFn: () => call(resendInvitation, { params }), onSuccess: told('Sent again'), onError })
  const revoke = useMutation({ mutationFn: () => call(revokeInvitation, { params }), onSuccess: told('Invitation taken back'), onError })
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium wrap-anywhere">{email}</p>
        <p className="text-muted text-sm">
          {roleNames[role]}
          {invitedBy && ` · by ${invitedBy}`}
          {!isExpired && ` · until ${day.format(new Date(expiresAt))}`}
        </p>
      </div>
      {isExpired && <Badge variant="clay">Expired</Badge>}
      {canChange && (
        <div className="flex gap-2">
          <Button variant="secondary" size="sm" onClick={() => resend.mutate()} pending={resend.isPending} pendingText="Sending...">
            <span>
              Send again<span className="sr-only"> to {email}</span>
            </span>
          </Button>
          <Button variant="quiet" size="sm" onClick={() => revoke.mutate()} pending={revoke.isPending} pendingText="Taking back...">
            <span>
              Take back<span className="sr-only"> from {email}</span>
            </span>
          </Button>
        </div>
      )}
    </li>
  )
}

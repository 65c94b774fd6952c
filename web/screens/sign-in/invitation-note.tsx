import { useQuery } from '@tanstack/react-query'
import { getInvitation } from '#contracts/calls/team.ts'
import { callOptions } from '#web/lib/call.ts'

/** Renders nothing while loading, or if the invitation isn't open. */
export default function InvitationNote({ token }: { token: string }) {
  const { data: invitation } = useQuery(callOptions(getInvitation, { params: { token } }))
  if (invitation?.state !== 'open') return null
  const { business, invitedBy, role, sentTo } = invitation
  return (
    <p className="rounded-input bg-leaf-soft px-4 py-3 text-sm">
      <strong className="block font-semibold wrap-anywhere">
        {invitedBy ?? 'The team'} invited you to join {business.name}
      </strong>
      You’ll help run it as {role === 'manager' ? 'a manager' : 'staff'}. Sign in as {sentTo}, or sign up with that address.
    </p>
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#web/lib/prefetch.ts'
import { InvitationScreen } from '#web/screens/team/invitation-screen.tsx'
import { invitationOptions } from '#web/screens/team/team.api.ts'

export const Route = createFileRoute('/invitations/$token')({
  loader: ({ context, params }) => prefetch(context, invitationOptions(params.token)),
  component: Invitation,
})

function Invitation() {
  const { token } = Route.useParams()
  return <InvitationScreen key={token} token={token} />
}

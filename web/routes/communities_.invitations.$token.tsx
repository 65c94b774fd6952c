import { createFileRoute } from '@tanstack/react-router'
import { invitationOptions } from '#web/entities/communities/communities.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { InvitationScreen } from '#web/screens/communities/invitation-screen.tsx'

export const Route = createFileRoute('/communities_/invitations/$token')({
  loader: ({ context, params }) => prefetch(context, invitationOptions(params.token)),
  component: Invitation,
})

function Invitation() {
  const { token } = Route.useParams()
  return <InvitationScreen key={token} token={token} />
}

import { createFileRoute } from '@tanstack/react-router'
import { InvitationScreen } from '#web/screens/communities/invitation-screen.tsx'

export const Route = createFileRoute('/communities_/invitations/$token')({ component: Invitation })

function Invitation() {
  const { token } = Route.useParams()
  return <InvitationScreen key={token} token={token} />
}

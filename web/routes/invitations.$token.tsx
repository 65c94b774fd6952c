import { createFileRoute } from '@tanstack/react-router'
import { InvitationScreen } from '../features/team/invitation-screen.tsx'

export const Route = createFileRoute('/invitations/$token')({ component: Invitation })

function Invitation() {
  const { token } = Route.useParams()
  return <InvitationScreen key={token} token={token} />
}

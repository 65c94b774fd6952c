import { createFileRoute } from '@tanstack/react-router'
import { TasteScreen } from '#web/screens/blind-panels/taste-screen.tsx'

export const Route = createFileRoute('/taste/$token')({ component: Taste })

function Taste() {
  const { token } = Route.useParams()
  return <TasteScreen key={token} token={token} />
}

import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#web/lib/prefetch.ts'
import { tasteOptions } from '#web/screens/blind-panels/panels.api.ts'
import { TasteScreen } from '#web/screens/blind-panels/taste-screen.tsx'

export const Route = createFileRoute('/taste/$token')({
  loader: ({ context, params }) => prefetch(context, tasteOptions(params.token)),
  component: Taste,
})

function Taste() {
  const { token } = Route.useParams()
  return <TasteScreen key={token} token={token} />
}

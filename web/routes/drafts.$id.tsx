import { createFileRoute } from '@tanstack/react-router'
import { EditDraftScreen } from '#web/screens/posts/edit-draft-screen.tsx'

export const Route = createFileRoute('/drafts/$id')({ component: EditDraft })

function EditDraft() {
  const { id } = Route.useParams()
  return <EditDraftScreen key={id} id={id} />
}

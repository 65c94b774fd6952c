import { createFileRoute } from '@tanstack/react-router'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { EditDraftScreen } from '#web/screens/posts/edit-draft-screen.tsx'

export const Route = createFileRoute('/drafts/$id')({
  loader: ({ context }) => prefetch(context, myBusinessesOptions),
  component: EditDraft,
})

function EditDraft() {
  const { id } = Route.useParams()
  return <EditDraftScreen key={id} id={id} />
}

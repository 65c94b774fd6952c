import { createFileRoute } from '@tanstack/react-router'
import { EditPostScreen } from '#web/screens/posts/edit-post-screen.tsx'

export const Route = createFileRoute('/post/$id_/edit')({ component: EditPost })

function EditPost() {
  const { id } = Route.useParams()
  return <EditPostScreen key={id} id={id} />
}

import { createFileRoute } from '@tanstack/react-router'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { postOptions } from '#web/entities/posts/posts.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { EditPostScreen } from '#web/screens/posts/edit-post-screen.tsx'

export const Route = createFileRoute('/post/$id_/edit')({
  loader: ({ context, params }) => prefetch(context, postOptions(params.id), myBusinessesOptions),
  component: EditPost,
})

function EditPost() {
  const { id } = Route.useParams()
  return <EditPostScreen key={id} id={id} />
}

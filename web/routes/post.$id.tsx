import { createFileRoute } from '@tanstack/react-router'
import { PostScreen } from '#web/screens/posts/post-screen.tsx'

export const Route = createFileRoute('/post/$id')({ component: Post })

function Post() {
  const { id } = Route.useParams()
  return <PostScreen key={id} id={id} />
}

import { createFileRoute } from '@tanstack/react-router'
import { PostScreen } from '../features/posts/post-screen.tsx'

export const Route = createFileRoute('/post/$id')({ component: Post })

function Post() {
  const { id } = Route.useParams()
  return <PostScreen key={id} id={id} />
}

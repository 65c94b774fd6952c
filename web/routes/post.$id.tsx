import { createFileRoute } from '@tanstack/react-router'
import { commentsOptions } from '#web/entities/posts/comments.api.ts'
import { postOptions } from '#web/entities/posts/posts.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { PostScreen } from '#web/screens/posts/post-screen.tsx'

export const Route = createFileRoute('/post/$id')({
  loader: ({ context, params: { id } }) => prefetch(context, postOptions(id), commentsOptions(id)),
  component: Post,
})

function Post() {
  const { id } = Route.useParams()
  return <PostScreen key={id} id={id} />
}

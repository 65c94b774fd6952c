import { createFileRoute } from '@tanstack/react-router'
import { PostScreen } from '../features/posts/post-screen.tsx'
import { postOptions } from '../features/posts/posts.api.ts'

export const Route = createFileRoute('/post/$id')({
  // Pointing at a title fetches its post ahead of the click. The call's code stays out of the first load.
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(postOptions(params.id)),
  component: Post,
  codeSplitGroupings: [['loader', 'component']],
})

function Post() {
  const { id } = Route.useParams()
  return <PostScreen key={id} id={id} />
}

import { createFileRoute } from '@tanstack/react-router'
import { profileOptions } from '#web/entities/people/people.api.ts'
import { personPostsOptions } from '#web/entities/posts/posts.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { PersonScreen } from '#web/screens/people/person-screen.tsx'

export const Route = createFileRoute('/people/$id')({
  loader: ({ context, params: { id } }) => prefetch(context, profileOptions(id), personPostsOptions(id)),
  component: Person,
})

function Person() {
  const { id } = Route.useParams()
  return <PersonScreen key={id} id={id} />
}

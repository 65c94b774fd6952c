import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { profileOptions } from '#web/entities/people/people.api.ts'
import { personPostsOptions } from '#web/entities/posts/posts.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { readProfileSearch } from '#web/screens/people/people-search.ts'
import { PersonScreen } from '#web/screens/people/person-screen.tsx'

export const Route = createFileRoute('/people/$id')({
  validateSearch: readProfileSearch,
  loader: ({ context, params: { id } }) => prefetch(context, profileOptions(id), personPostsOptions(id)),
  component: Person,
})

function Person() {
  const { id } = Route.useParams()
  const { tab = 'posts' } = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <PersonScreen
      key={id}
      id={id}
      tab={tab}
      onTab={(next) => void navigate({ search: next === 'posts' ? {} : { tab: next }, replace: true, resetScroll: false })}
    />
  )
}

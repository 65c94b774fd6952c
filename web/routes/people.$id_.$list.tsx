import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { FollowersScreen, FollowingScreen } from '#web/screens/people/follow-lists.tsx'
import { readFollowingSearch } from '#web/screens/people/following-search.ts'
import { NotFoundScreen } from '#web/ui/not-found-screen.tsx'

/** `/people/…/followers` and `/people/…/following` share a route, because every route adds to the first load. */
export const Route = createFileRoute('/people/$id_/$list')({ validateSearch: readFollowingSearch, component: PeopleList })

function PeopleList() {
  const { id, list } = Route.useParams()
  const { tab = 'people' } = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  if (list === 'followers') return <FollowersScreen key={id} id={id} />
  if (list !== 'following') return <NotFoundScreen />
  return (
    <FollowingScreen
      key={id}
      id={id}
      tab={tab}
      onTab={(next) => void navigate({ search: next === 'people' ? {} : { tab: next }, replace: true, resetScroll: false })}
    />
  )
}

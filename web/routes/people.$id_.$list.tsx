import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { NotFoundScreen } from '../features/not-found/not-found-screen.tsx'
import { FollowersScreen } from '../features/people/followers-screen.tsx'
import { FollowingScreen } from '../features/people/following-screen.tsx'
import { readFollowingSearch } from '../features/people/following-search.ts'

/** `/people/…/followers` and `/people/…/following`: one route, for every route is a part of each page's first load. */
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

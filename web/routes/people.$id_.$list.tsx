import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { followedBusinessesOptions, followedPeopleOptions, followersOptions, profileOptions } from '#web/entities/people/people.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { FollowersScreen, FollowingScreen } from '#web/screens/people/follow-lists.tsx'
import { readFollowingSearch } from '#web/screens/people/people-search.ts'
import { NotFoundScreen } from '#web/ui/not-found-screen.tsx'

/** `/people/…/followers` and `/people/…/following` share a route, because every route adds to the first load. */
export const Route = createFileRoute('/people/$id_/$list')({
  validateSearch: readFollowingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params: { id, list }, deps: { tab = 'people' } }) => {
    const followed = tab === 'people' ? followedPeopleOptions : followedBusinessesOptions
    if (list === 'followers' || list === 'following')
      prefetch(context, profileOptions(id), list === 'followers' ? followersOptions(id) : followed(id))
  },
  component: PeopleList,
})

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

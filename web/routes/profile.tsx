import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { personPostsOptions } from '#web/entities/posts/posts.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { activityOptions } from '#web/screens/home/home.api.ts'
import { readProfileSearch } from '#web/screens/people/people-search.ts'
import { ProfileScreen } from '#web/screens/people/profile-screen.tsx'

export const Route = createFileRoute('/profile')({
  validateSearch: readProfileSearch,
  loader: ({ context }) => {
    if (context.user) prefetch(context, personPostsOptions(context.user.id), activityOptions)
  },
  component: Profile,
})

function Profile() {
  const { tab = 'posts' } = Route.useSearch()
  const navigate = useNavigate({ from: Route.fullPath })
  return (
    <ProfileScreen
      tab={tab}
      onTab={(next) => void navigate({ search: next === 'posts' ? {} : { tab: next }, replace: true, resetScroll: false })}
    />
  )
}

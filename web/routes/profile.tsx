import { createFileRoute } from '@tanstack/react-router'
import { personPostsOptions } from '#web/entities/posts/posts.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { ProfileScreen } from '#web/screens/people/profile-screen.tsx'

export const Route = createFileRoute('/profile')({
  loader: ({ context }) => {
    if (context.user) prefetch(context, personPostsOptions(context.user.id))
  },
  component: ProfileScreen,
})

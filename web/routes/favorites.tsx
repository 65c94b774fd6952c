import { createFileRoute } from '@tanstack/react-router'
import { favoritesOptions } from '#web/entities/businesses/businesses.api.ts'
import { savedPostsOptions } from '#web/entities/posts/posts.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { FavoritesScreen, type FavoritesTab } from '#web/screens/favorites/favorites-screen.tsx'

type Search = { tab?: 'posts' | undefined }

export const Route = createFileRoute('/favorites')({
  validateSearch: ({ tab }: Record<string, unknown>): Search => ({ tab: tab === 'posts' ? tab : undefined }),
  loaderDeps: ({ search: { tab } }) => ({ tab }),
  loader: ({ context, deps: { tab } }) => (tab === 'posts' ? prefetch(context, savedPostsOptions) : prefetch(context, favoritesOptions)),
  component: Favorites,
})

function Favorites() {
  const { tab = 'businesses' } = Route.useSearch()
  const navigate = Route.useNavigate()
  const open = (next: FavoritesTab) => void navigate({ search: next === 'posts' ? { tab: next } : {}, replace: true, resetScroll: false })
  return <FavoritesScreen tab={tab} onTab={open} />
}

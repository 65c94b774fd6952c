import { createFileRoute } from '@tanstack/react-router'
import { favoritesOptions } from '#web/entities/businesses/businesses.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { FavoritesScreen } from '#web/screens/favorites/favorites-screen.tsx'

export const Route = createFileRoute('/favorites')({
  loader: ({ context }) => prefetch(context, favoritesOptions),
  component: FavoritesScreen,
})

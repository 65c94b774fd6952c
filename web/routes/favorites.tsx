import { createFileRoute } from '@tanstack/react-router'
import { FavoritesScreen } from '#web/screens/favorites/favorites-screen.tsx'

export const Route = createFileRoute('/favorites')({ component: FavoritesScreen })

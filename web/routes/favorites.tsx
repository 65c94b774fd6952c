import { createFileRoute } from '@tanstack/react-router'
import { FavoritesScreen } from '../features/favorites/favorites-screen.tsx'

export const Route = createFileRoute('/favorites')({ component: FavoritesScreen })

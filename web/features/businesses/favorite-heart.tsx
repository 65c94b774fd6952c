import { useQuery } from '@tanstack/react-query'
import { Heart } from 'lucide-react'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { favoriteIdsOptions } from './favorites.api.ts'
import { useFavorite } from './use-favorite.ts'

type FavoriteHeartProps = { business: Pick<BusinessSummary, 'id' | 'name'>; className?: string }

/** The heart on a card. Only signed-in people have one, and only once it is known how it stands. */
export function FavoriteHeart(props: FavoriteHeartProps) {
  return useCurrentUser() ? <Known {...props} /> : null
}

function Known({ business, className }: FavoriteHeartProps) {
  const { data: isFavorited } = useQuery({ ...favoriteIdsOptions, select: (ids) => ids.includes(business.id) })
  const { setFavorite } = useFavorite(business)
  if (isFavorited === undefined) return null
  return (
    <IconButton
      label={`Favorite ${business.name}`}
      variant="floating"
      aria-pressed={isFavorited}
      onClick={() => setFavorite(!isFavorited)}
      className={className}
    >
      <Heart aria-hidden="true" />
    </IconButton>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { addFavorite, removeFavorite } from '#contracts/calls/favorites.ts'
import { call } from '#web/lib/call.ts'
import { toggleOptions } from '#web/lib/saved-at-once.ts'
import { toast } from '#web/ui/toast-store.ts'
import { type FavoritePlace, putFavoriteBack, refreshFavorites, setFavorited, takeFavorite } from './businesses.api.ts'

type Options = {
  /** The card disappears from its list, so the toast offers Undo. */
  undo?: boolean
}

export function useFavorite(business: Pick<BusinessSummary, 'id'>, { undo = false }: Options = {}) {
  const client = useQueryClient()
  const place = useRef<FavoritePlace | null>(null)
  const { mutate } = useMutation(
    toggleOptions<unknown>(client, {
      mutationKey: ['favorite', business.id],
      save: (isFavorited) =>
        isFavorited
          ? call(addFavorite, { body: { businessId: business.id } })
          : call(removeFavorite, { params: { businessId: business.id } }),
      show: (isFavorited) => {
        setFavorited(client, business.id, isFavorited)
        if (!isFavorited) place.current = takeFavorite(client, business.id)
        else if (place.current) putFavoriteBack(client, place.current)
      },
      onSaved: (_answer, isFavorited) => {
        toast({
          title: isFavorited ? 'Added to favorites' : 'Removed from favorites',
          ...(undo && !isFavorited ? { action: { label: 'Undo', onClick: () => mutate(true) } } : {}),
        })
        // Undo has already put the favorite back in its place. A new favorite has to come from the server.
        if (isFavorited && !(undo && place.current)) void refreshFavorites(client)
      },
      onFailed: () => toast({ title: 'Error', description: 'Failed to update favorite status', variant: 'destructive' }),
    }),
  )
  return { setFavorite: (isFavorited: boolean) => mutate(isFavorited) }
}

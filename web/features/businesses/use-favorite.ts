// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { addFavorite, listFavorites, removeFavorite } from '../../../contracts/favorites.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { type FavoritePlace, putFavoriteBack, setFavorited, takeFavorite } from './business-caches.ts'

type Options = {
  /** The thing vanishes from where it is shown: the message offers to bring it back. */
  undo?: boolean
}

/** Adds to the favorites and removes from them, shown at once; taken back with a message when the server refuses. */
export function useFavorite(business: Pick<BusinessSummary, 'id'>, { undo = false }: Options = {}) {
  const client = useQueryClient()
  const mutationKey = ['favorite', business.id]
  const mutation = useMutation({
    mutationKey,
    // One after the other: the last press decides, whatever the network does.
    scope: { id: mutationKey.join(':') },
    networkMode: 'always',
    mutationFn: ({ isFavorited }: { isFavorited: boolean; place?: FavoritePlace | null }) =>
      isFavorited
        ? call(addFavorite, { body: { businessId: business.id } })
        : call(removeFavorite, { params: { businessId: business.id } }),
    onMutate: ({ isFavorited, place }) => {
      setFavorited(client, business.id, isFavorited)
      if (isFavorited && place) putFavoriteBack(client, place)
      return { taken: isFavorited ? null : takeFavorite(client, business.id) }
    },
    onError: (_error, { isFavorited }, before) => {
      toast({ title: 'Error', description: 'Failed to update favorite status', variant: 'destructive' })
      // A later press is under way and will settle it.
      if (client.isMutating({ mutationKey }) > 1) return
      setFavorited(client, business.id, !isFavorited)
      if (before?.taken) putFavoriteBack(client, before.taken)
      else if (isFavorited) takeFavorite(client, business.id)
    },
    onSuccess: (_answer, { isFavorited, place }, { taken }) => {
      toast({
        title: isFavorited ? 'Added to favorites' : 'Removed from favorites',
        ...(undo && taken ? { action: { label: 'Undo', onClick: () => mutation.mutate({ isFavorited: true, place: taken }) } } : {}),
      })
      // Only the server knows the new entry; what Undo put back is already right.
      if (isFavorited && !place) void client.invalidateQueries({ queryKey: [listFavorites.path] })
    },
  })
  return { setFavorite: (isFavorited: boolean) => mutation.mutate({ isFavorited }), isPending: mutation.isPending }
}

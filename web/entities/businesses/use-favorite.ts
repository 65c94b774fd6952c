import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { addFavorite, removeFavorite } from '#contracts/calls/favorites.ts'
import { call } from '#web/lib/call.ts'
import { toast } from '#web/ui/toast-store.ts'
import { type FavoritePlace, putFavoriteBack, refreshFavorites, setFavorited, takeFavorite } from './businesses.api.ts'

type Options = {
  /** The row disappears from its list, so the toast offers Undo. */
  undo?: boolean
}

export function useFavorite(business: Pick<BusinessSummary, 'id'>, { undo = false }: Options = {}) {
  const client = useQueryClient()
  const mutationKey = ['favorite', business.id]
  const mutation = useMutation({
    mutationKey,
    // Serialized, so the last press wins.
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
      // A later press is pending and will settle the state.
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
      // Undo put the old entry back; a new favorite's entry has to come from the server.
      if (isFavorited && !place) void refreshFavorites(client)
    },
  })
  return { setFavorite: (isFavorited: boolean) => mutation.mutate({ isFavorited }), isPending: mutation.isPending }
}

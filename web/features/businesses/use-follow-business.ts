// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { followBusiness, unfollowBusiness } from '../../../contracts/people.ts'
import { getFeed, getSuggestions } from '../../../contracts/posts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { changeOwnFollowingCount } from '../people/follow-caches.ts'
import { businessStatusOptions } from './businesses.api.ts'

/** Follows a business for free and stops, shown at once; taken back with a message when the server refuses. */
export function useFollowBusiness(businessId: string) {
  const client = useQueryClient()
  const mutationKey = ['follow', businessId]
  const show = (isFollowing: boolean) => {
    client.setQueryData(businessStatusOptions(businessId).queryKey, (status) => status && { ...status, isFollowing })
    changeOwnFollowingCount(client, isFollowing ? 1 : -1)
  }
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(':') },
    mutationFn: (isFollowing: boolean) => call(isFollowing ? followBusiness : unfollowBusiness, { params: { id: businessId } }),
    onMutate: show,
    onError: (error, isFollowing) => {
      toast({ title: 'Error', description: messageOf(error, 'Failed to update follow status'), variant: 'destructive' })
      if (client.isMutating({ mutationKey }) === 1) show(!isFollowing)
    },
    onSuccess: () => {
      for (const { path } of [getFeed, getSuggestions]) void client.invalidateQueries({ queryKey: [path] })
    },
  })
  return { setFollowing: (isFollowing: boolean) => mutate(isFollowing) }
}

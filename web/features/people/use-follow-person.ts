import { useMutation, useQueryClient } from '@tanstack/react-query'
import { followPerson, listFollowedPeople, listFollowers, unfollowPerson } from '../../../contracts/people.ts'
import { getFeed } from '../../../contracts/posts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { showFollowing } from './follow-caches.ts'

/** Follows a person and stops, shown at once; taken back with a message when the server refuses. */
export function useFollowPerson(id: string) {
  const client = useQueryClient()
  const mutationKey = ['follow', id]
  const { mutate } = useMutation({
    mutationKey,
    // One after the other: the last press decides, whatever the network does.
    scope: { id: mutationKey.join(':') },
    mutationFn: (isFollowing: boolean) => call(isFollowing ? followPerson : unfollowPerson, { params: { id } }),
    onMutate: (isFollowing) => showFollowing(client, id, isFollowing),
    onError: (error, isFollowing) => {
      toast({ title: 'Error', description: messageOf(error, 'Failed to update follow status'), variant: 'destructive' })
      if (client.isMutating({ mutationKey }) === 1) showFollowing(client, id, !isFollowing)
    },
    onSuccess: () => {
      // Lists in view keep the person, with the other button: whoever pressed by mistake finds them again.
      for (const { path } of [listFollowers, listFollowedPeople, getFeed]) {
        void client.invalidateQueries({ queryKey: [path], refetchType: 'none' })
      }
    },
  })
  return { setFollowing: (isFollowing: boolean) => mutate(isFollowing) }
}

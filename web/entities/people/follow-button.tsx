import { useMutation, useQueryClient } from '@tanstack/react-query'
import { followPerson, unfollowPerson } from '#contracts/calls/people.ts'
import type { PersonInList } from '#contracts/people.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Button, type ButtonSize } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { expireFollowed, showFollowing } from './people.api.ts'

type FollowButtonProps = { person: Pick<PersonInList, 'id' | 'name' | 'isFollowing'>; size?: ButtonSize }

export function FollowButton({ person: { id, name, isFollowing }, size }: FollowButtonProps) {
  const { setFollowing } = useFollowPerson(id)
  return (
    <Button variant={isFollowing ? 'secondary' : 'primary'} size={size} onClick={() => setFollowing(!isFollowing)}>
      <span>
        {isFollowing ? 'Unfollow' : 'Follow'}
        <span className="sr-only"> {name}</span>
      </span>
    </Button>
  )
}

export function useFollowPerson(id: string) {
  const client = useQueryClient()
  const mutationKey = ['follow', id]
  const { mutate } = useMutation({
    mutationKey,
    // Serialized, so the last press wins.
    scope: { id: mutationKey.join(':') },
    mutationFn: (isFollowing: boolean) => call(isFollowing ? followPerson : unfollowPerson, { params: { id } }),
    onMutate: (isFollowing) => showFollowing(client, id, isFollowing),
    onError: (error, isFollowing) => {
      toast({ title: 'Error', description: messageOf(error, 'Failed to update follow status'), variant: 'destructive' })
      if (client.isMutating({ mutationKey }) === 1) showFollowing(client, id, !isFollowing)
    },
    onSuccess: () => expireFollowed(client),
  })
  return { setFollowing: (isFollowing: boolean) => mutate(isFollowing) }
}

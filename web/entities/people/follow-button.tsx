import { useMutation, useQueryClient } from '@tanstack/react-query'
import { followPerson, unfollowPerson } from '#contracts/calls/people.ts'
import type { PersonInList } from '#contracts/people.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { toggleOptions } from '#web/lib/saved-at-once.ts'
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

export function useFollowPerson(id: string, showElsewhere?: (isFollowing: boolean) => void) {
  const client = useQueryClient()
  const show = (isFollowing: boolean) => {
    showFollowing(client, id, isFollowing)
    showElsewhere?.(isFollowing)
  }
  const { mutate } = useMutation(
    toggleOptions(client, {
      mutationKey: ['follow', id],
      save: (isFollowing) => call(isFollowing ? followPerson : unfollowPerson, { params: { id } }),
      show,
      onSaved: () => expireFollowed(client),
      onFailed: (error) =>
        toast({ title: 'Error', description: messageOf(error, 'Failed to update follow status'), variant: 'destructive' }),
    }),
  )
  return { setFollowing: (isFollowing: boolean) => mutate(isFollowing) }
}

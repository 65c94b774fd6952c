import type { PersonInList } from '../../../contracts/people.ts'
import { Button, type ButtonSize } from '../../ui/button.tsx'
import { useFollowPerson } from './use-follow-person.ts'

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

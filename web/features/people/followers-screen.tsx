import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { followersOptions, profileOptions } from './people.api.ts'
import { PeopleFrame } from './people-frame.tsx'
import { PeopleList } from './people-list.tsx'

export function FollowersScreen({ id }: { id: string }) {
  const { data: profile } = useQuery(profileOptions(id))
  const list = useInfiniteQuery(followersOptions(id))
  const isSelf = profile?.isSelf ?? false
  return (
    <PeopleFrame id={id} title="Followers">
      <PeopleList
        list={list}
        failure="The followers could not be loaded"
        empty={
          isSelf ? (
            <EmptyState title="Nobody follows you yet" description="People find you by what you post, comment and review.">
              <Button asChild>
                <Link to="/create-post">Create Post</Link>
              </Button>
            </EmptyState>
          ) : (
            <EmptyState title="Nobody to show" description="Only followers with a public profile are listed." />
          )
        }
      />
    </PeopleFrame>
  )
}

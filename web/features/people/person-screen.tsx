import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { Profile } from '../../../contracts/people.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { MessageButton } from '../messages/message-button.tsx'
import { FollowButton } from './follow-button.tsx'
import { profileOptions } from './people.api.ts'
import { PersonMenu } from './person-menu.tsx'
import { PersonNotFound } from './person-not-found.tsx'
import { PersonPosts } from './person-posts.tsx'
import { ProfileHead } from './profile-head.tsx'
import { ProfileSkeleton } from './profile-skeleton.tsx'
import { useBlockPerson } from './use-block-person.ts'

/** Somebody, as this viewer may see them. */
export function PersonScreen({ id }: { id: string }) {
  const { data: profile, error, refetch, isPending, isFetching } = useQuery(profileOptions(id))
  if (isPending) return <ProfileSkeleton />
  if (!profile) {
    // An address that cannot be an id names nobody either.
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <PersonNotFound />
    return (
      <div className="py-10">
        <h1 className="sr-only">Profile</h1>
        <ErrorState
          title="This profile could not be loaded"
          description={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      </div>
    )
  }
  return (
    <div className="mx-auto grid max-w-feed gap-8 px-4 pt-6 pb-16 sm:px-6">
      {profile.isBlocked ? <Blocked profile={profile} /> : <Visible profile={profile} />}
    </div>
  )
}

function Visible({ profile }: { profile: Profile }) {
  const isHidden = !(profile.isProfilePublic || profile.isSelf)
  return (
    <>
      <ProfileHead person={profile} actions={!profile.isSelf && <Actions profile={profile} />}>
        {isHidden && (
          <p className="mt-4 flex items-center gap-2 text-muted">
            <Lock aria-hidden="true" className="size-4.5 shrink-0" />
            This profile is private.
          </p>
        )}
        {profile.isSelf && (
          <p className="mt-4 text-muted text-sm">
            {profile.isProfilePublic
              ? 'This is you. Your profile is public to members.'
              : 'This is you. Your profile is private: others see your name, and what you post and review under it.'}{' '}
            <Link to="/profile" className={textLink}>
              Your profile
            </Link>
          </p>
        )}
      </ProfileHead>
      {!isHidden && <PersonPosts id={profile.id} isSelf={profile.isSelf} />}
    </>
  )
}

function Actions({ profile }: { profile: Profile }) {
  return (
    <>
      <FollowButton person={profile} />
      <MessageButton to={{ kind: 'person', id: profile.id, name: profile.name }} />
      <PersonMenu person={profile} />
    </>
  )
}

function Blocked({ profile }: { profile: Profile }) {
  const { setBlocked, isPending } = useBlockPerson(profile)
  return (
    <Card>
      <CardBody className="grid justify-items-center gap-2 py-10! text-center">
        <Avatar id={profile.id} name={profile.name} size="lg" className="mb-2" />
        <h1 className="text-2xl wrap-anywhere">{profile.name}</h1>
        <p className="max-w-text text-muted">You have blocked this person. Neither of you sees what the other writes.</p>
        <div className="mt-4 flex flex-wrap justify-center gap-3">
          <Button variant="secondary" onClick={() => setBlocked(false)} pending={isPending} pendingText="Unblocking...">
            Unblock
          </Button>
          <Button asChild variant="quiet">
            <Link to="/blocked">Everybody you blocked</Link>
          </Button>
        </div>
      </CardBody>
    </Card>
  )
}

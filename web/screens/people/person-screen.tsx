import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban, Ellipsis, Flag, Lock, VolumeX } from 'lucide-react'
import { useState } from 'react'
import type { Profile } from '#contracts/people.ts'
import { MessageButton } from '#web/entities/messages/message-button.tsx'
import { BlockPersonDialog, useBlockPerson, useMute } from '#web/entities/people/block-and-mute.tsx'
import { FollowButton } from '#web/entities/people/follow-button.tsx'
import { profileOptions } from '#web/entities/people/people.api.ts'
import { ReportDialog } from '#web/entities/reports/report-dialog.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import type { ProfileTab } from './people-search.ts'
import { PersonNotFound, PersonTabs, ProfileHead } from './profile-parts.tsx'

type PersonScreenProps = { id: string; tab: ProfileTab; onTab: (tab: ProfileTab) => void }

export function PersonScreen({ id, tab, onTab }: PersonScreenProps) {
  const { data: profile, error, refetch, isPending, isFetching } = useQuery(profileOptions(id))
  if (isPending) return <ProfileSkeleton />
  if (!profile) {
    // The server responds with 400 if the address can't be an ID.
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <PersonNotFound />
    return (
      <div className="py-10">
        <h1 className="sr-only">Profile</h1>
        <LoadError title="This profile couldn’t be loaded" query={{ error, refetch, isFetching }} />
      </div>
    )
  }
  return (
    <div className="mx-auto grid max-w-feed gap-8 px-4 pt-6 pb-16 sm:px-6">
      {profile.isBlocked ? <Blocked profile={profile} /> : <Visible profile={profile} tab={tab} onTab={onTab} />}
    </div>
  )
}

function Visible({ profile, tab, onTab }: { profile: Profile } & Omit<PersonScreenProps, 'id'>) {
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
              ? 'This is your profile. It’s public, so any member can see it.'
              : 'This is your profile. It’s private: it shows others only your name, which also appears on your posts, comments and reviews.'}{' '}
            <Link to="/profile" className={textLink}>
              Your profile
            </Link>
          </p>
        )}
      </ProfileHead>
      {!isHidden && <PersonTabs person={profile} isSelf={profile.isSelf} tab={tab} onTab={onTab} />}
    </>
  )
}

function Actions({ profile }: { profile: Profile }) {
  return (
    <>
      <FollowButton person={profile} />
      {profile.isReachable && <MessageButton to={{ kind: 'person', id: profile.id, name: profile.name }} />}
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
        <p className="max-w-text text-muted">You blocked this person. You won’t see each other’s posts or be able to message each other.</p>
        <div className="mt-4 flex flex-wrap justify-center gap-3">
          <Button variant="secondary" onClick={() => setBlocked(false)} pending={isPending} pendingText="Unblocking...">
            Unblock
          </Button>
          <Button asChild variant="quiet">
            <Link to="/blocked">All blocked people</Link>
          </Button>
        </div>
      </CardBody>
    </Card>
  )
}

function PersonMenu({ person }: { person: { id: string; name: string } }) {
  const { setMuted } = useMute({ kind: 'person', id: person.id, name: person.name })
  const [dialog, setDialog] = useState<'block' | 'report' | null>(null)
  const control = (name: 'block' | 'report') => ({
    open: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : null),
  })
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <IconButton label={`More actions for ${person.name}`} variant="outline">
            <Ellipsis aria-hidden="true" />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => setMuted(true)}>
            <VolumeX aria-hidden="true" />
            Mute
          </MenuItem>
          <MenuItem onSelect={() => setDialog('report')}>
            <Flag aria-hidden="true" />
            Report
          </MenuItem>
          <MenuItem danger onSelect={() => setDialog('block')}>
            <Ban aria-hidden="true" />
            Block
          </MenuItem>
        </MenuContent>
      </Menu>
      <ReportDialog subject="person" subjectId={person.id} writer={{ kind: 'person', ...person }} {...control('report')} />
      <BlockPersonDialog person={person} {...control('block')} />
    </>
  )
}

function ProfileSkeleton() {
  return (
    <SkeletonGroup label="Loading this profile..." className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6">
      <div className="overflow-hidden rounded-card border border-line bg-surface">
        <Skeleton shape="picture" className="h-28 sm:h-36" />
        <div className="-mt-14 grid gap-4 p-5 sm:px-7">
          <span className="w-fit rounded-full border-4 border-surface bg-surface">
            <Skeleton shape="circle" className="size-24" />
          </span>
          <Skeleton className="h-8 w-3/5 max-w-64 rounded-full" />
          <SkeletonText lines={3} />
          <Skeleton className="h-12 w-4/5 max-w-72" />
        </div>
      </div>
    </SkeletonGroup>
  )
}

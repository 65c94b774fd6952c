import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { followedBusinessesOptions, followedPeopleOptions, followersOptions, profileOptions } from '#web/entities/people/people.api.ts'
import { BusinessLine, PeopleList, Rows } from '#web/entities/people/people-list.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { useRefocus } from '#web/ui/focus.ts'
import { quietLink } from '#web/ui/link-styles.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import type { FollowingTab } from './people-search.ts'
import { PersonNotFound } from './profile-parts.tsx'

type FollowingScreenProps = { id: string; tab: FollowingTab; onTab: (tab: FollowingTab) => void }

export function FollowingScreen({ id, tab, onTab }: FollowingScreenProps) {
  const { data: profile } = useQuery(profileOptions(id))
  const isSelf = profile?.isSelf ?? false
  const businesses = useRefocus<HTMLDivElement>(tab)
  return (
    <PeopleFrame id={id} title="Following">
      <Tabs value={tab} onValueChange={(value) => onTab(value as FollowingTab)}>
        <TabList aria-label="Following">
          <Tab value="people">People</Tab>
          <Tab value="businesses">Businesses</Tab>
        </TabList>
        <TabPanel value="people">
          <h2 className="sr-only">People</h2>
          <People id={id} isSelf={isSelf} onBusinesses={profile?.followingCount ? () => onTab('businesses') : undefined} />
        </TabPanel>
        <TabPanel ref={businesses} value="businesses">
          <h2 className="sr-only">Businesses</h2>
          <Businesses id={id} isSelf={isSelf} />
        </TabPanel>
      </Tabs>
    </PeopleFrame>
  )
}

type ListProps = { id: string; isSelf: boolean }

type PeopleProps = ListProps & {
  /** Set if everyone the person follows is a business. */
  onBusinesses: (() => void) | undefined
}

function People({ id, isSelf, onBusinesses }: PeopleProps) {
  const list = useInfiniteQuery(followedPeopleOptions(id))
  return (
    <PeopleList
      list={list}
      failure="The people couldn’t be loaded"
      empty={
        <EmptyState
          level={3}
          title={isSelf ? 'You don’t follow any people yet' : 'No one to show'}
          description={
            isSelf ? 'To follow someone who posts or comments, open their profile.' : 'Only people with a public profile are listed.'
          }
        >
          {isSelf &&
            (onBusinesses ? (
              <Button onClick={onBusinesses}>See businesses you follow</Button>
            ) : (
              <Button asChild>
                <Link to="/">Go to your feed</Link>
              </Button>
            ))}
        </EmptyState>
      }
    />
  )
}

function Businesses({ id, isSelf }: ListProps) {
  const list = useInfiniteQuery(followedBusinessesOptions(id))
  return (
    <PagedList
      list={list}
      loadingLabel="Loading businesses..."
      skeleton={<SkeletonRow />}
      failure="The businesses couldn’t be loaded"
      empty={
        <EmptyState
          level={3}
          title={isSelf ? 'You don’t follow any businesses yet' : 'No businesses'}
          description={isSelf ? 'Following is free, and you’ll see their posts in your feed.' : undefined}
        >
          {isSelf && (
            <Button asChild>
              <Link to="/discover">Discover businesses</Link>
            </Button>
          )}
        </EmptyState>
      }
    >
      {(businesses) => (
        <Rows>
          {businesses.map((business) => (
            <BusinessLine key={business.id} business={business} />
          ))}
        </Rows>
      )}
    </PagedList>
  )
}

export function FollowersScreen({ id }: { id: string }) {
  const { data: profile } = useQuery(profileOptions(id))
  const list = useInfiniteQuery(followersOptions(id))
  const isSelf = profile?.isSelf ?? false
  return (
    <PeopleFrame id={id} title="Followers">
      <PeopleList
        list={list}
        failure="The followers couldn’t be loaded"
        empty={
          isSelf ? (
            <EmptyState title="No followers yet" description="People find you through your posts, comments and reviews.">
              <Button asChild>
                <Link to="/create-post">Create Post</Link>
              </Button>
            </EmptyState>
          ) : (
            <EmptyState title="No one to show" description="Only followers with a public profile are listed." />
          )
        }
      />
    </PeopleFrame>
  )
}

function PeopleFrame({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  const { data: profile, error } = useQuery(profileOptions(id))
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <PersonNotFound />
  const isHidden = profile !== undefined && !(profile.isProfilePublic || profile.isSelf)
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6">
      <Link to="/people/$id" params={{ id }} className={`${quietLink} mb-3 inline-flex min-h-8 items-center gap-1.5 text-sm`}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        {profile ? profile.name : 'Profile'}
      </Link>
      <PageHeader title={title} />
      <div className="mt-5">{isHidden ? <p className="text-muted">This profile is private.</p> : children}</div>
    </div>
  )
}

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarDays, Mail, MapPin } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import type { AccountType } from '#contracts/accounts.ts'
import { PostCard, PostSkeleton } from '#web/entities/posts/post-card.tsx'
import { personPostsOptions } from '#web/entities/posts/posts.api.ts'
import { dateFormat, formatNumber } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Cover } from '#web/ui/cover/cover.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { useListFocus } from '#web/ui/focus.ts'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { useRemoved } from '#web/ui/pending-removals.ts'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import type { ProfileTab } from './people-search.ts'

const PersonReviews = lazy(async () => ({ default: (await import('./person-reviews.tsx')).PersonReviews }))

const month = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' })
const typeLabels: Record<AccountType, string> = { consumer: 'Consumer', business: 'Business' }

export type ProfileHeadProps = {
  person: {
    id: string
    name: string
    imageUrl: string | null
    userType: AccountType | null
    location: string | null
    bio: string | null
    interests: readonly string[]
    followingCount: number | null
    followersCount: number | null
    postsCount: number | null
    createdAt: string | null
  }
  /** Only set on the viewer's own profile. */
  email?: string | undefined
  plan?: string | null | undefined
  actions?: ReactNode
  children?: ReactNode
}

export function ProfileHead({ person, email, plan, actions, children }: ProfileHeadProps) {
  const { id, name, imageUrl, userType, location, bio, interests, createdAt } = person
  return (
    <Card asChild>
      <section aria-label={name}>
        <Cover id={id} type="farm" className="h-28 sm:h-36" />
        <CardBody className="-mt-14 sm:px-7 sm:pb-7">
          <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
            <Avatar id={id} name={name} imageUrl={imageUrl} size="xl" className="border-4 border-surface" />
            {actions && <div className="flex flex-wrap items-center gap-2 pb-1">{actions}</div>}
          </div>
          <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
            <h1 className="text-2xl wrap-anywhere sm:text-3xl">{name}</h1>
            {userType && <Badge>{typeLabels[userType]}</Badge>}
            {plan && <Badge variant="leaf">{plan}</Badge>}
          </div>
          <ul className="mt-2.5 flex flex-wrap gap-x-5 gap-y-1.5 text-muted text-sm empty:hidden [&_svg]:size-4 [&_svg]:shrink-0 [&>li]:flex [&>li]:min-w-0 [&>li]:items-center [&>li]:gap-1.5">
            {email !== undefined && (
              <li>
                <Mail aria-hidden="true" />
                <span className="min-w-0 wrap-anywhere">
                  {email}
                  <span className="whitespace-nowrap"> (only you can see it)</span>
                </span>
              </li>
            )}
            {(location || email !== undefined) && (
              <li>
                <MapPin aria-hidden="true" />
                {location ?? 'Location not set'}
              </li>
            )}
            {createdAt && (
              <li>
                <CalendarDays aria-hidden="true" />
                Joined {month.format(new Date(createdAt))}
              </li>
            )}
          </ul>
          {bio && <p className="mt-4 max-w-text whitespace-pre-line wrap-anywhere">{bio}</p>}
          {interests.length > 0 && (
            <ul aria-label="Interests" className="mt-4 flex flex-wrap gap-1.5">
              {interests.map((interest) => (
                <li key={interest}>
                  <Badge variant="outline">{interest}</Badge>
                </li>
              ))}
            </ul>
          )}
          <Counts person={person} />
          {children}
        </CardBody>
      </section>
    </Card>
  )
}

const count = 'flex min-h-11 flex-col-reverse justify-center rounded-tag'

function Counts({ person: { id, postsCount, followingCount, followersCount } }: Pick<ProfileHeadProps, 'person'>) {
  if (postsCount === null || followingCount === null || followersCount === null) return null
  return (
    <ul className="mt-5 flex gap-8 border-line border-t pt-4">
      <li className={count}>
        <Words name={postsCount === 1 ? 'Post' : 'Posts'} value={postsCount} />
      </li>
      <li>
        <Link to="/people/$id/$list" params={{ id, list: 'following' }} className={`${count} group`}>
          <Words name="Following" value={followingCount} />
        </Link>
      </li>
      <li>
        <Link to="/people/$id/$list" params={{ id, list: 'followers' }} className={`${count} group`}>
          <Words name={followersCount === 1 ? 'Follower' : 'Followers'} value={followersCount} />
        </Link>
      </li>
    </ul>
  )
}

function Words({ name, value }: { name: string; value: number }) {
  return (
    <>
      <span className="text-muted text-sm underline-offset-3 group-hover:underline">{name}</span>
      <span className="font-display text-xl tabular-nums">{formatNumber(value)}</span>
    </>
  )
}

type PersonTabsProps = { person: { id: string; name: string }; isSelf: boolean; tab: ProfileTab; onTab: (tab: ProfileTab) => void }

export function PersonTabs({ person: { id, name }, isSelf, tab, onTab }: PersonTabsProps) {
  return (
    <Tabs value={tab} onValueChange={(value) => onTab(value as ProfileTab)}>
      <TabList aria-label={isSelf ? 'Your posts and reviews' : `Posts and reviews by ${name}`}>
        <Tab value="posts">Posts</Tab>
        <Tab value="reviews">Reviews</Tab>
      </TabList>
      <TabPanel value="posts">
        <h2 className="sr-only">Posts</h2>
        <PersonPosts id={id} isSelf={isSelf} />
      </TabPanel>
      <TabPanel value="reviews">
        <h2 className="sr-only">Reviews</h2>
        <Suspense fallback={<SkeletonRow />}>
          <PersonReviews id={id} isSelf={isSelf} />
        </Suspense>
      </TabPanel>
    </Tabs>
  )
}

function PersonPosts({ id, isSelf }: { id: string; isSelf: boolean }) {
  const list = useInfiniteQuery(personPostsOptions(id))
  const removed = useRemoved()
  const listFocus = useListFocus<HTMLUListElement>()
  return (
    <PagedList
      list={list}
      loadingLabel="Loading posts..."
      skeleton={<PostSkeleton />}
      failure="The posts couldn’t be loaded"
      empty={<ListNote title="No posts available yet.">{isSelf && 'Posts under your own name appear here.'}</ListNote>}
    >
      {(posts) => (
        <ul {...listFocus} className="grid gap-4">
          {posts
            .filter((post) => !removed.has(post.id))
            .map((post) => (
              <li key={post.id} className="min-w-0">
                <PostCard post={post} where="feed" />
              </li>
            ))}
        </ul>
      )}
    </PagedList>
  )
}

/** People who are hidden from this viewer must look like missing ones. */
export function PersonNotFound() {
  return (
    <EmptyState level={1} title="Profile Not Found" description="This profile doesn’t exist, or you can’t see it.">
      <Button asChild>
        <Link to="/">Go to your feed</Link>
      </Button>
    </EmptyState>
  )
}

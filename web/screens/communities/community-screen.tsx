import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Ellipsis, Flag, Link as LinkIcon, Lock, LogOut, Settings, UserPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Community } from '#contracts/communities.ts'
import { communityOptions } from '#web/entities/communities/communities.api.ts'
import { countWords } from '#web/entities/communities/community-words.ts'
import { JoinButton, useMembership } from '#web/entities/communities/join-button.tsx'
import { isAbsent } from '#web/lib/api-error.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { NotFoundScreen } from '#web/ui/not-found-screen.tsx'
import { shareLink } from '#web/ui/share-link.ts'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { AboutSection } from './about-section.tsx'
import { TabSkeleton } from './communities-screen.tsx'
import type { CommunitySearch, CommunitySection } from './communities-search.ts'
import { CommunityBadges, CommunityPicture } from './community-parts.tsx'

const CommunityPosts = lazy(async () => ({ default: (await import('./community-posts.tsx')).CommunityPosts }))
const MembersSection = lazy(async () => ({ default: (await import('./members-section.tsx')).MembersSection }))
const ManageSection = lazy(async () => ({ default: (await import('./manage-section.tsx')).ManageSection }))
const CommunityQueue = lazy(async () => ({ default: (await import('#web/screens/moderation/case-desk.tsx')).CommunityQueue }))

/** Viewers who may not see the community get "not found". */
export function CommunityScreen({ id, search }: { id: string; search: CommunitySearch }) {
  const { data: community, error, refetch, isFetching, isPending } = useQuery(communityOptions(id))
  if (isPending) return <ScreenSkeleton />
  if (!community) {
    if (isAbsent(error)) return <NotFoundScreen />
    return (
      <div className="py-10">
        <h1 className="sr-only">Community</h1>
        <LoadError title="This community couldn’t be loaded" query={{ error, refetch, isFetching }} />
      </div>
    )
  }
  return <View community={community} search={search} />
}

const sectionNames: Record<CommunitySection, string> = {
  posts: 'Posts',
  about: 'About',
  members: 'Members',
  manage: 'Manage',
  moderation: 'Moderation',
}

function sectionsOf({ abilities, myRole }: Community): CommunitySection[] {
  return [
    'posts',
    'about',
    ...(myRole === null ? [] : (['members'] as const)),
    ...(abilities.moderate || abilities.delete ? (['manage'] as const) : []),
    ...(abilities.moderate ? (['moderation'] as const) : []),
  ]
}

function View({ community, search }: { community: Community; search: CommunitySearch }) {
  const router = useRouter()
  const sections = sectionsOf(community)
  // The section in the address may not be available to this viewer.
  const section = sections.find((each) => each === search.section) ?? 'posts'
  const isClosed = section === 'posts' && !community.abilities.read
  const go = (next: string) =>
    void router.navigate({
      to: '/communities/$id',
      params: { id: community.slug },
      search: next === 'posts' ? {} : { section: next as CommunitySection },
      resetScroll: false,
    })
  const sortBy = (sort: CommunitySearch) =>
    void router.navigate({ to: '/communities/$id', params: { id: community.slug }, search: sort, replace: true, resetScroll: false })
  return (
    <div className="mx-auto min-h-dvh max-w-page px-4 pt-5 pb-16 sm:px-6 sm:pt-7">
      <CommunityHead community={community} isShort={isClosed || section === 'about'} isClosed={isClosed} />
      <Tabs value={section} onValueChange={go} className="mt-4">
        <TabList aria-label={community.name}>
          {sections.map((each) => (
            <Tab key={each} value={each}>
              {sectionNames[each]}
              {each === 'manage' && Boolean(community.requestsCount) && (
                <span className="ml-1.5 rounded-full bg-leaf px-1.5 font-semibold text-on-leaf text-xs tabular-nums">
                  {community.requestsCount}
                  <span className="sr-only"> requests</span>
                </span>
              )}
            </Tab>
          ))}
        </TabList>
        <TabPanel value={section} className="pt-6">
          <Suspense fallback={<TabSkeleton />}>
            {section === 'posts' &&
              (isClosed ? <MembersOnly community={community} /> : <CommunityPosts community={community} search={search} onSort={sortBy} />)}
            {section === 'about' && <AboutSection community={community} />}
            {section === 'members' && <MembersSection community={community} />}
            {section === 'manage' && <ManageSection community={community} />}
            {section === 'moderation' && <CommunityQueue communityId={community.id} />}
          </Suspense>
        </TabPanel>
      </Tabs>
    </div>
  )
}

const ScreenSkeleton = () => (
  <SkeletonGroup label="Loading the community..." className="mx-auto grid max-w-page gap-6 px-4 pt-5 pb-16 sm:px-6 sm:pt-7">
    <div className="overflow-hidden rounded-card border border-line bg-surface sm:flex">
      <Skeleton shape="picture" className="h-24 sm:h-36 sm:w-52 lg:w-64" />
      <div className="grid flex-1 gap-3 p-4 sm:px-6">
        <Skeleton className="h-8 w-64 max-w-full" />
        <Skeleton shape="line" className="w-40" />
        <SkeletonText lines={2} className="max-w-text" />
      </div>
    </div>
    <TabSkeleton />
  </SkeletonGroup>
)

type CommunityHeadProps = {
  community: Community
  isShort: boolean
  isClosed: boolean
}

function CommunityHead({ community, isShort, isClosed }: CommunityHeadProps) {
  const router = useRouter()
  const { name, description, isHidden } = community
  const goAway = () => void router.navigate({ to: '/communities', search: { tab: 'my' } })
  return (
    <Card asChild className="overflow-visible!">
      <section aria-label={name} className="sm:flex">
        <CommunityPicture
          community={community}
          className="h-24 max-sm:rounded-t-card sm:h-auto sm:min-h-36 sm:w-52! sm:shrink-0 sm:self-stretch sm:rounded-l-card lg:w-64!"
        />
        <CardBody className="min-w-0 flex-1 sm:px-6">
          <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
            <div className="min-w-0 flex-1 basis-64">
              <h1 className="text-2xl wrap-anywhere sm:text-3xl">{name}</h1>
              <div className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1.5">
                <CommunityBadges community={community} />
                <span className="text-muted text-sm tabular-nums">{countWords(community)}</span>
              </div>
            </div>
            <div className="flex items-center gap-2 max-sm:w-full max-sm:justify-between">
              {isClosed ? <span /> : <JoinButton community={community} onGone={goAway} />}
              <CommunityMenu community={community} onGone={goAway} />
            </div>
          </div>
          {community.isDemo && (
            <p className="mt-3 text-muted text-sm">A fictional community. What you write here may be deleted with it.</p>
          )}
          {!isShort && <p className="mt-3.5 line-clamp-3 max-w-text whitespace-pre-line wrap-anywhere">{description}</p>}
          {isHidden && (
            <p className="mt-4 rounded-input bg-clay-soft px-3.5 py-3 text-clay text-sm">
              Moderators are reviewing or have hidden this community, so only you can see it.
            </p>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

const ReportDialog = lazyDialog(async () => (await import('#web/entities/reports/report-dialog.tsx')).ReportDialog)

function CommunityMenu({ community, onGone }: { community: Community; onGone: () => void }) {
  const router = useRouter()
  const { leave } = useMembership(community, onGone)
  const [dialog, setDialog] = useState<'leave' | 'report' | null>(null)
  const { abilities, slug, name, visibility, myRole } = community
  const manage = () =>
    void router.navigate({ to: '/communities/$id', params: { id: slug }, search: { section: 'manage' }, resetScroll: false })
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <IconButton label={`More actions for ${name}`} variant="outline">
            <Ellipsis aria-hidden="true" />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          {visibility !== 'private' && (
            <MenuItem onSelect={() => void shareLink(`${location.origin}/communities/${slug}`, name)}>
              <LinkIcon aria-hidden="true" />
              Copy link
            </MenuItem>
          )}
          {abilities.invite && (
            <MenuItem onSelect={manage}>
              <UserPlus aria-hidden="true" />
              Invite people
            </MenuItem>
          )}
          {abilities.edit && (
            <MenuItem onSelect={manage}>
              <Settings aria-hidden="true" />
              Settings
            </MenuItem>
          )}
          {myRole !== 'owner' && (
            <MenuItem onSelect={() => setDialog('report')}>
              <Flag aria-hidden="true" />
              Report
            </MenuItem>
          )}
          {abilities.leave && (
            // Rejoining a public community is easy, so leaving shows a toast with Undo instead of a confirmation.
            <MenuItem danger onSelect={() => (visibility === 'public' && myRole === 'member' ? leave() : setDialog('leave'))}>
              <LogOut aria-hidden="true" />
              Leave
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      <ConfirmDialog
        open={dialog === 'leave'}
        onOpenChange={(open) => setDialog(open ? 'leave' : null)}
        title={`Leave ${name}?`}
        confirmText="Leave"
        onConfirm={() => {
          setDialog(null)
          leave()
        }}
      >
        {whatLeavingEnds(community)}
      </ConfirmDialog>
      {dialog === 'report' && (
        <ReportDialog subject="community" subjectId={community.id} open onOpenChange={(open) => !open && setDialog(null)} />
      )}
    </>
  )
}

function whatLeavingEnds({ visibility, myRole }: Community): string {
  const role = myRole === 'moderator' ? ' You’ll stop being a moderator, and invitations you sent will be canceled.' : ''
  if (visibility === 'private') return `You won’t see it anymore unless someone invites you again. Your posts won’t be deleted.${role}`
  if (visibility === 'invite_only') return `You’ll need a moderator’s approval to read it again. Your posts won’t be deleted.${role}`
  return `You can rejoin at any time. Your posts won’t be deleted.${role}`
}

function MembersOnly({ community }: { community: Community }) {
  const { abilities, isRequested, isInvited, visibility } = community
  const way = isInvited
    ? 'You’re invited. Join to read and write.'
    : isRequested
      ? 'A moderator needs to approve your request. We’ll notify you.'
      : abilities.request
        ? 'Ask to join. A moderator will decide.'
        : 'You can’t join this community right now.'
  return (
    <div className="grid gap-6">
      <section className="grid justify-items-center gap-2 rounded-card border border-line border-dashed px-5 py-10 text-center">
        <Lock aria-hidden="true" className="mb-1 size-6 text-muted" />
        <h2 className="text-xl">{visibility === 'public' ? 'Not available to you right now' : 'Members only'}</h2>
        <p className="max-w-text text-muted">{visibility === 'public' ? way : `Posts here are for members. ${way}`}</p>
        <JoinButton community={community} size="lg" className="mt-3" />
      </section>
      <AboutSection community={community} />
    </div>
  )
}

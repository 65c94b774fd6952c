import { useRouter } from '@tanstack/react-router'
import type { Community } from '../../../contracts/communities.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { CommunityBadges } from './community-badges.tsx'
import { CommunityMenu } from './community-menu.tsx'
import { CommunityPicture } from './community-picture.tsx'
import { countWords } from './community-words.ts'
import { JoinButton } from './join-button.tsx'

type CommunityHeadProps = {
  community: Community
  /** What it is about stands below. */
  isShort: boolean
  /** How to get in stands below. */
  isClosed: boolean
}

/** Picture, name, what it is, how large, and where the viewer stands. */
export function CommunityHead({ community, isShort, isClosed }: CommunityHeadProps) {
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
          {!isShort && <p className="mt-3.5 line-clamp-3 max-w-text whitespace-pre-line wrap-anywhere">{description}</p>}
          {isHidden && (
            <p className="mt-4 rounded-input bg-clay-soft px-3.5 py-3 text-clay text-sm">
              Nobody but you sees this community while the moderators of the site look at it.
            </p>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

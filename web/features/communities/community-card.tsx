import { Link } from '@tanstack/react-router'
import type { Community } from '../../../contracts/communities.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { cardLink } from '../../ui/link-styles.ts'
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'
import { CommunityBadges } from './community-badges.tsx'
import { CommunityPicture } from './community-picture.tsx'
import { countWords } from './community-words.ts'
import { JoinButton } from './join-button.tsx'

/** One community in a grid: what it is, how large, and Join Community. */
export function CommunityCard({ community }: { community: Community }) {
  const { slug, name, description } = community
  return (
    <Card interactive asChild className="flex h-full flex-col">
      <article aria-label={name}>
        <CommunityPicture community={community} className="h-24" />
        <CardBody className="flex flex-1 flex-col gap-3">
          <div className="grid gap-2">
            <h3 className="text-lg wrap-anywhere">
              <Link to="/communities/$id" params={{ id: slug }} className={cardLink}>
                {name}
              </Link>
            </h3>
            <div className="flex flex-wrap gap-1.5">
              <CommunityBadges community={community} />
            </div>
          </div>
          <p className="line-clamp-3 text-muted text-sm wrap-anywhere">{description}</p>
          <div className="mt-auto flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-1">
            <p className="text-muted text-sm tabular-nums">{countWords(community)}</p>
            <div className="relative z-1">
              <JoinButton community={community} variant="secondary" />
            </div>
          </div>
        </CardBody>
      </article>
    </Card>
  )
}

/** A row of the grid. */
export const CommunityCardsSkeleton = () => (
  <span className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
    <CardSkeleton />
    <CardSkeleton />
    <CardSkeleton />
  </span>
)

const CardSkeleton = () => (
  <span className="block overflow-hidden rounded-card border border-line bg-surface">
    <Skeleton shape="picture" className="h-24" />
    <span className="grid gap-3 p-4 sm:p-5">
      <Skeleton className="h-6 w-3/5" />
      <SkeletonText lines={3} />
      <span className="flex items-center justify-between gap-4">
        <Skeleton shape="line" className="w-32" />
        <Skeleton className="h-10 w-36" />
      </span>
    </span>
  </span>
)

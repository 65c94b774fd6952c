import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { MessageCircle } from 'lucide-react'
import { useState } from 'react'
import type { Hunt } from '#contracts/hunts.ts'
import { publicHuntsOptions, showOwnerFollowed } from '#web/entities/hunts/hunts.api.ts'
import { useFollowPerson } from '#web/entities/people/follow-button.tsx'
import { counted } from '#web/lib/format.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SearchForm } from '#web/ui/search-form.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { HuntComments } from './hunt-comments.tsx'
import { HuntMenu } from './hunt-menu.tsx'
import { StageTimeline } from './stage-timeline.tsx'

export function CommunityTab({ search }: { search: string }) {
  const router = useRouter()
  const list = useInfiniteQuery(publicHuntsOptions(search))
  const find = (text: string) =>
    void router.navigate({ to: '/pheno-hunt', search: { tab: 'community', ...(text ? { search: text } : {}) }, replace: true })
  return (
    <div className="mx-auto grid max-w-feed gap-5">
      <SearchForm label="Search public hunts" placeholder="Strain, cross or breeder" maxLength={80} search={search} onSearch={find} />
      <PagedList
        list={list}
        loadingLabel="Loading public hunts..."
        skeleton={<SkeletonRow />}
        failure="The public hunts couldn’t be loaded"
        cards="each"
        empty={
          search ? (
            <EmptyState title={`No public hunt matches “${search}”`} description="Look for another strain, cross or breeder.">
              <Button variant="secondary" onClick={() => find('')}>
                Show all
              </Button>
            </EmptyState>
          ) : (
            <EmptyState
              title="No public hunts yet"
              description="Every hunt is private until its grower makes it public. To share one of yours, choose Share in its menu."
            />
          )
        }
      >
        {(hunts) => (
          <ul className="grid gap-4">
            {hunts.map((hunt) => (
              <li key={hunt.id}>
                <PublicHuntCard hunt={hunt} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  )
}

function PublicHuntCard({ hunt }: { hunt: Hunt }) {
  const { id, huntName, owner, breeders, seedCount, goals, counts, commentsCount, publishedAt } = hunt
  const [isOpen, setOpen] = useState(false)
  return (
    <Card asChild className="overflow-visible!">
      <article aria-label={huntName}>
        <CardBody className="grid gap-4">
          <div className="flex items-start gap-3">
            <Avatar id={owner.id} name={owner.name} imageUrl={owner.imageUrl} />
            <div className="min-w-0 flex-1">
              <p className="text-sm">
                <Link to="/people/$id" params={{ id: owner.id }} className="touch-target font-semibold wrap-anywhere hover:underline">
                  {owner.name}
                </Link>{' '}
                {publishedAt && (
                  <span className="text-muted">
                    <Ago at={publishedAt} />
                  </span>
                )}
              </p>
              <div className="mt-0.5 flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <h2 className="text-lg wrap-anywhere">
                  <Link to="/pheno-hunt/$id" params={{ id }} className="hover:underline">
                    {huntName}
                  </Link>
                </h2>
                {hunt.access === 'own' && <Badge variant="leaf">Yours</Badge>}
                {hunt.isDemo && <Badge variant="outline">Demo</Badge>}
                {!hunt.isActive && <Badge>Completed</Badge>}
              </div>
              <p className="text-muted text-sm wrap-anywhere">
                {[
                  breeders.join(', '),
                  counted(seedCount, 'seed'),
                  counted(counts.logs, 'log'),
                  counts.keepers > 0 ? counted(counts.keepers, 'keeper') : '',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            </div>
            <HuntMenu hunt={hunt} />
          </div>
          {goals && <p className="line-clamp-3 wrap-anywhere">{goals}</p>}
          <StageTimeline hunt={hunt} />
          <div className="flex flex-wrap gap-2">
            <Button variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              <MessageCircle aria-hidden="true" />
              {commentsCount === 0 ? 'Comment' : counted(commentsCount, 'comment')}
            </Button>
            {hunt.access !== 'own' && <FollowOwner hunt={hunt} />}
            <Button asChild variant="secondary" className="ml-auto">
              <Link to="/pheno-hunt/$id" params={{ id }}>
                Open<span className="sr-only"> {huntName}</span>
              </Link>
            </Button>
          </div>
          {isOpen && <HuntComments hunt={hunt} />}
        </CardBody>
      </article>
    </Card>
  )
}

function FollowOwner({ hunt: { owner, isOwnerFollowed } }: { hunt: Hunt }) {
  const client = useQueryClient()
  const { setFollowing } = useFollowPerson(owner.id, (isFollowing) => showOwnerFollowed(client, owner.id, isFollowing))
  return (
    <Button variant="quiet" onClick={() => setFollowing(!isOwnerFollowed)}>
      {isOwnerFollowed ? 'Unfollow' : 'Follow'} {owner.name}
    </Button>
  )
}

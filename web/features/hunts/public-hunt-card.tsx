import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MessageCircle } from 'lucide-react'
import { useState } from 'react'
import type { Hunt } from '../../../contracts/hunts.ts'
import { counted } from '../../lib/counted.ts'
import { Ago } from '../../ui/ago.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { useFollowPerson } from '../people/use-follow-person.ts'
import { HuntComments } from './hunt-comments.tsx'
import { HuntMenu } from './hunt-menu.tsx'
import { showOwnerFollowed } from './hunts.api.ts'
import { StageTimeline } from './stage-timeline.tsx'

/** A hunt that everybody may look at, with what people say to it. */
export function PublicHuntCard({ hunt }: { hunt: Hunt }) {
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

/** Public hunts of one owner stand in several places, and all of them know at once. */
function FollowOwner({ hunt: { owner, isOwnerFollowed } }: { hunt: Hunt }) {
  const client = useQueryClient()
  const { setFollowing } = useFollowPerson(owner.id)
  return (
    <Button
      variant="quiet"
      onClick={() => {
        setFollowing(!isOwnerFollowed)
        showOwnerFollowed(client, owner.id, !isOwnerFollowed)
      }}
    >
      {isOwnerFollowed ? 'Unfollow' : 'Follow'} {owner.name}
    </Button>
  )
}

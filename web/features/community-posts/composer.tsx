import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import type { Community } from '../../../contracts/communities.ts'
import { createCommunityPost } from '../../../contracts/community-posts.ts'
import { ownDisplayName } from '../../../contracts/display-name.ts'
import { call } from '../../lib/call.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { recall } from '../accounts/tab-memory.ts'
import { changeShown } from '../communities/communities.api.ts'
import { creationKey, dropCreationKey } from '../onboarding/creation-key.ts'
import { MutedNote, useMutedUntil } from '../standing/muted-note.tsx'
import { refreshCommunityPosts } from './community-posts.api.ts'
import { emptyPost } from './composer-values.ts'

const PostFields = lazy(async () => ({ default: (await import('./post-fields.tsx')).PostFields }))

/** One line until somebody wants to write; then the form. What was typed before a reload opens it again. */
export function Composer({ community: { id, name } }: { community: Pick<Community, 'id' | 'name'> }) {
  const user = useCurrentUser()
  const client = useQueryClient()
  const subject = `community-post.${user?.id}.${id}`
  const [isOpen, setOpen] = useState(() => recall(`draft.${subject}`) !== undefined)
  const opener = useRef<HTMLButtonElement>(null)
  const mutedUntil = useMutedUntil()
  if (!user) return null
  if (mutedUntil) return <MutedNote until={mutedUntil} />
  const ownName = ownDisplayName(user)
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => opener.current?.focus())
  }
  if (!isOpen) {
    return (
      <Card>
        <CardBody className="flex items-center gap-3 sm:py-4!">
          <Avatar id={user.id} name={ownName} imageUrl={user.profileImageUrl} size="md" />
          <button
            ref={opener}
            type="button"
            onClick={() => setOpen(true)}
            className="min-h-11 min-w-0 flex-1 truncate rounded-full border border-edge bg-surface px-4 text-left text-muted transition-colors hover:border-ink/60 hover:text-ink"
          >
            Ask or share something in {name}
          </button>
        </CardBody>
      </Card>
    )
  }
  return (
    <Card className="overflow-visible!">
      <CardBody className="sm:p-6">
        <h2 className="mb-5 text-xl">New post</h2>
        <Suspense
          fallback={
            <SkeletonGroup className="grid gap-4">
              <Skeleton className="h-10 w-4/5" />
              <Skeleton className="h-12" />
              <Skeleton className="h-36" />
            </SkeletonGroup>
          }
        >
          <PostFields
            communityId={id}
            subject={subject}
            initial={emptyPost}
            submitText="Post"
            pendingText="Posting..."
            onCancel={close}
            onSubmit={async (body) => {
              const post = await call(createCommunityPost, { body }, { idempotencyKey: creationKey(subject, body) })
              dropCreationKey(subject)
              if (post.moderation === null) {
                changeShown(client, id, (shown) => ({ ...shown, postCount: shown.postCount === null ? null : shown.postCount + 1 }))
              }
              await refreshCommunityPosts(client)
              toast(
                post.moderation === null
                  ? { title: 'Posted' }
                  : { title: 'Waiting for a moderator', description: 'A moderator looks at it before others see it.' },
              )
              close()
            }}
          />
        </Suspense>
      </CardBody>
    </Card>
  )
}

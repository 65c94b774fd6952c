import { useMutation } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { MessageSquare } from 'lucide-react'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { textLink } from '#web/ui/link-styles.ts'

type MessageButtonProps = {
  to: { kind: 'person' | 'business'; id: string; name: string }
  text?: string
  draft?: string
}

export function MessageButton({ to, text = 'Message', draft }: MessageButtonProps) {
  const router = useRouter()
  const personId = useCurrentUser()?.id
  const opening = useMutation({
    // Runs after a pending subscription, because businesses accept messages from subscribers. See
    // web/entities/subscriptions/subscribe-button.tsx.
    scope: { id: `subscription:${to.id}` },
    // Loaded on demand, because most visitors to a page don't send a message.
    mutationFn: async (_pressedAt: string) => {
      const { startDraft, writeTo } = await import('./messages.api.ts')
      const id = await writeTo(to)
      if (draft) startDraft(personId, id, draft)
      return id
    },
    onSuccess: (id, pressedAt) => {
      // Skip this if the person went elsewhere in the meantime.
      if (router.latestLocation.pathname === pressedAt) void router.navigate({ to: '/messages/{-$id}', params: { id }, search: {} })
    },
  })
  const links = opening.error instanceof ApiError ? opening.error.links : []
  return (
    <>
      <Button
        variant="secondary"
        onClick={() => opening.mutate(router.latestLocation.pathname)}
        pending={opening.isPending}
        pendingText="Opening..."
      >
        <MessageSquare aria-hidden="true" />
        <span>
          {text}
          <span className="sr-only"> {to.name}</span>
        </span>
      </Button>
      {opening.isError && (
        <p role="alert" className="order-last basis-full text-muted text-sm lg:text-right">
          {messageOf(opening.error)}{' '}
          {links.map(({ title, path }) => (
            <Link key={path} to={path} className={textLink}>
              {title}
            </Link>
          ))}
        </p>
      )}
    </>
  )
}

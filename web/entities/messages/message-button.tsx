import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { MessageSquare } from 'lucide-react'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { textLink } from '#web/ui/link-styles.ts'

type MessageButtonProps = {
  to: { kind: 'person' | 'business'; id: string; name: string }
  text?: string
  /** The beginning of the message. */
  draft?: string
}

/** Opens the conversation with a person or business, or says why the viewer can't write. */
export function MessageButton({ to, text = 'Message', draft }: MessageButtonProps) {
  const navigate = useNavigate()
  const personId = useCurrentUser()?.id
  const opening = useMutation({
    // Runs after a pending subscription, because businesses accept messages from subscribers. See
    // web/entities/subscriptions/subscribe-button.tsx.
    scope: { id: `subscription:${to.id}` },
    // Loaded on demand: most visitors of a page send no message.
    mutationFn: async () => {
      const { startDraft, writeTo } = await import('./messages.api.ts')
      const id = await writeTo(to)
      if (draft) startDraft(personId, id, draft)
      return id
    },
    onSuccess: (id) => void navigate({ to: '/messages/{-$id}', params: { id }, search: {} }),
  })
  const isRefused = opening.error instanceof ApiError && opening.error.status === 403
  return (
    <>
      <Button variant="secondary" onClick={() => opening.mutate()} pending={opening.isPending} pendingText="Opening...">
        <MessageSquare aria-hidden="true" />
        <span>
          {text}
          <span className="sr-only"> {to.name}</span>
        </span>
      </Button>
      {opening.isError && (
        <p role="alert" className="order-last basis-full text-muted text-sm lg:text-right">
          {messageOf(opening.error)}{' '}
          {isRefused && to.kind === 'business' && (
            <Link to="/billing" className={textLink}>
              See the VIP plan
            </Link>
          )}
        </p>
      )}
    </>
  )
}

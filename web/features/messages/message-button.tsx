// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { MessageSquare } from 'lucide-react'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { textLink } from '../../ui/link-styles.ts'

type MessageButtonProps = { to: { kind: 'person' | 'business'; id: string; name: string } }

/** Opens the one conversation with somebody; there, or beside the button if it is refused, stands why one cannot write. */
export function MessageButton({ to }: MessageButtonProps) {
  const navigate = useNavigate()
  const opening = useMutation({
    // Behind a subscription that is on its way: subscribers are whom a business takes messages from. See use-subscription.ts.
    scope: { id: `subscription:${to.id}` },
    // Most who look at a page write to nobody: what that needs comes when it is wanted.
    mutationFn: async () => (await import('./write-to.ts')).writeTo(to),
    onSuccess: (id) => void navigate({ to: '/messages/{-$id}', params: { id }, search: {} }),
  })
  const isRefused = opening.error instanceof ApiError && opening.error.status === 403
  return (
    <>
      <Button variant="secondary" onClick={() => opening.mutate()} pending={opening.isPending} pendingText="Opening...">
        <MessageSquare aria-hidden="true" />
        <span>
          Message<span className="sr-only"> {to.name}</span>
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

import { Check, Clock } from 'lucide-react'
import { useState } from 'react'
import type { Community } from '../../../contracts/communities.ts'
import { Button } from '../../ui/button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { useMembership } from './use-membership.ts'

const AskDialog = lazyDialog(async () => (await import('./ask-dialog.tsx')).AskDialog)

type JoinButtonProps = {
  community: Community
  /** The one thing to do on its own page; one among many in a list. */
  variant?: 'primary' | 'secondary'
  size?: 'md' | 'lg'
  className?: string
  onGone?: () => void
}

/** Join Community; asks where that needs somebody's yes; says where one stands. What is joined is left in the community's menu. */
export function JoinButton({ community, variant = 'primary', size = 'md', className, onGone }: JoinButtonProps) {
  const { join, leave, isPending } = useMembership(community, onGone)
  const [isAsking, setAsking] = useState(false)
  const { abilities, isRequested, myRole, name } = community
  const of = <span className="sr-only"> {name}</span>
  if (myRole !== null) {
    return (
      <p
        className={`inline-flex items-center justify-center gap-1.5 font-medium text-leaf text-sm [&_svg]:size-4.5 ${size === 'lg' ? 'min-h-12' : 'min-h-10'} ${className ?? ''}`}
      >
        <Check aria-hidden="true" />
        {myRole === 'owner' ? 'Yours' : 'Joined'}
      </p>
    )
  }
  if (isRequested) {
    return (
      <Button size={size} variant="secondary" onClick={() => leave()} className={className}>
        <Clock aria-hidden="true" />
        Requested
        <span className="sr-only">: take the request to join {name} back</span>
      </Button>
    )
  }
  if (abilities.join) {
    return (
      <Button size={size} variant={variant} onClick={() => join()} pending={isPending} pendingText="Joining..." className={className}>
        Join Community{of}
      </Button>
    )
  }
  if (!abilities.request) return null
  return (
    <>
      <Button size={size} variant={variant} onClick={() => setAsking(true)} className={className}>
        Ask to Join{of}
      </Button>
      {isAsking && (
        <AskDialog
          community={community}
          onClose={() => setAsking(false)}
          onAsk={(message) => {
            setAsking(false)
            join(message)
          }}
        />
      )}
    </>
  )
}

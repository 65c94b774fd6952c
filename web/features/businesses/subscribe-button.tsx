import { useLocation } from '@tanstack/react-router'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Button, type ButtonSize } from '../../ui/button.tsx'
import { useSubscription } from './use-subscription.ts'

type SubscribeButtonProps = { business: Pick<BusinessSummary, 'id'>; isSubscribed: boolean; size?: ButtonSize }

export function SubscribeButton({ business, isSubscribed, size }: SubscribeButtonProps) {
  const user = useCurrentUser()
  const here = useLocation({ select: ({ href }) => href })
  const { setSubscription } = useSubscription(business)
  if (!user) {
    return (
      <Button asChild size={size}>
        <a href={`/api/login?returnTo=${encodeURIComponent(here)}`}>Subscribe</a>
      </Button>
    )
  }
  return (
    <Button variant={isSubscribed ? 'secondary' : 'primary'} size={size} onClick={() => setSubscription(!isSubscribed)}>
      {isSubscribed ? 'Unsubscribe' : 'Subscribe'}
    </Button>
  )
}

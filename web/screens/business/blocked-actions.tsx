import { Ban } from 'lucide-react'
import type { Business } from '#contracts/businesses.ts'
import { useBlockBusiness } from '#web/entities/businesses/block-business.ts'
import { Button } from '#web/ui/button.tsx'
import { BusinessMenu } from './business-menu.tsx'

export function BlockedActions({ business }: { business: Business }) {
  const { setBlocked, isPending } = useBlockBusiness(business)
  return (
    <>
      <Button variant="secondary" onClick={() => setBlocked(false)} pending={isPending} pendingText="Unblocking...">
        Unblock
      </Button>
      <BusinessMenu business={business} isBlocked isSubscribed={false} />
      <p className="flex basis-full items-center gap-1.5 text-muted text-sm lg:justify-end">
        <Ban aria-hidden="true" className="size-4" />
        You blocked this business
      </p>
    </>
  )
}

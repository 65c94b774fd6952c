import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Agreement, cancelAgreement, resumeAgreement } from '../../../contracts/billing.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { businessStatusOptions } from '../businesses/businesses.api.ts'
import { dayOf } from './agreement-words.ts'
import { refreshBilling } from './billing.api.ts'

type Purchase = Pick<Agreement, 'id' | 'isSubscription' | 'business'>

/** Ends a purchase with what is paid. What it opens stays open until then. */
export function useCancel({ id, isSubscription, business }: Purchase) {
  const refresh = useRefresh(business)
  return useMutation({
    networkMode: 'always',
    mutationFn: () => call(cancelAgreement, { params: { id } }),
    onSuccess: async ({ paidUntil, status }) => {
      const kept = status === 'canceled' && paidUntil ? `It stays active until ${dayOf(paidUntil)}.` : undefined
      toast({ title: isSubscription ? 'Unsubscribed' : 'Canceled', description: kept })
      await refresh()
    },
    onError: (error) => {
      console.error(error)
      toast({
        title: 'Error',
        description: isSubscription ? 'Failed to update subscription' : messageOf(error),
        variant: 'destructive',
      })
    },
  })
}

/** Takes a cancellation back. */
export function useResume({ id, business }: Purchase) {
  const refresh = useRefresh(business)
  return useMutation({
    networkMode: 'always',
    mutationFn: () => call(resumeAgreement, { params: { id } }),
    onSuccess: async ({ paidUntil }) => {
      toast({ title: 'Resumed', description: paidUntil ? `It renews on ${dayOf(paidUntil)}.` : undefined })
      await refresh()
    },
    onError: async (error) => {
      console.error(error)
      toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
      // It may have ended in the meantime.
      await refresh()
    },
  })
}

function useRefresh(business: Purchase['business']) {
  const client = useQueryClient()
  return async () => {
    if (business) void client.invalidateQueries({ queryKey: businessStatusOptions(business.id).queryKey })
    await refreshBilling(client)
  }
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Agreement, cancelAgreement } from '../../../contracts/billing.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { businessStatusOptions } from '../businesses/businesses.api.ts'
import { dayOf } from './agreement-words.ts'
import { refreshBilling } from './billing.api.ts'

/** Ends a purchase with what is paid. What it opens stays open until then. */
export function useCancel({ id, isSubscription, business }: Pick<Agreement, 'id' | 'isSubscription' | 'business'>) {
  const client = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: () => call(cancelAgreement, { params: { id } }),
    onSuccess: async ({ paidUntil, status }) => {
      const kept = status === 'canceled' && paidUntil ? `It stays as it is until ${dayOf(paidUntil)}.` : undefined
      toast({ title: isSubscription ? 'Unsubscribed' : 'Canceled', description: kept })
      if (business) void client.invalidateQueries({ queryKey: businessStatusOptions(business.id).queryKey })
      await refreshBilling(client)
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

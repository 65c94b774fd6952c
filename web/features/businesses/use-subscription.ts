// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getCurrentUser } from '../../../contracts/accounts.ts'
import { type BusinessSummary, getBusiness, listBusinesses } from '../../../contracts/businesses.ts'
import { subscribe, unsubscribe } from '../../../contracts/subscriptions.ts'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { refreshPosts } from '../posts/posts.api.ts'
import { changeSubscriberCount, setSubscribed } from './business-caches.ts'
import { businessStatusOptions } from './businesses.api.ts'

/** The business asks for a price: it is bought, not simply taken. */
export const isPriced = (error: unknown): boolean => error instanceof ApiError && error.code === 'payment_required'

/**
 * Subscribes and unsubscribes, shown at once; taken back with a message when the server refuses.
 * @param onPriced instead of the message when the business has a price
 */
export function useSubscription(business: Pick<BusinessSummary, 'id'>, onPriced: () => void) {
  const client = useQueryClient()
  const mutationKey = ['subscription', business.id]
  const show = (isSubscribed: boolean) => {
    setSubscribed(client, business.id, isSubscribed)
    changeSubscriberCount(client, business.id, (count) => count + (isSubscribed ? 1 : -1))
  }
  const refreshRest = () => {
    // Exclusive posts open and close with the subscription, and subscribing follows.
    void refreshPosts(client)
    void client.invalidateQueries({ queryKey: [getCurrentUser.path] })
  }
  const mutation = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(':') },
    networkMode: 'always',
    mutationFn: (isSubscribed: boolean) =>
      isSubscribed ? call(subscribe, { body: { businessId: business.id } }) : call(unsubscribe, { params: { businessId: business.id } }),
    onMutate: show,
    onError: (error, isSubscribed) => {
      if (client.isMutating({ mutationKey }) === 1) show(!isSubscribed)
      if (isPriced(error)) onPriced()
      else {
        const isRefused = error instanceof ApiError && error.code === 'conflict'
        toast({ title: 'Error', description: isRefused ? error.message : 'Failed to update subscription', variant: 'destructive' })
      }
    },
    onSuccess: (answer, isSubscribed) => {
      toast({ title: isSubscribed ? 'Subscribed!' : 'Unsubscribed' })
      if (client.isMutating({ mutationKey }) === 1) changeSubscriberCount(client, business.id, () => answer.subscriberCount)
      // Subscribing follows along; whether one still follows after it has ended, the server knows.
      if (client.isMutating({ mutationKey }) === 1) void client.invalidateQueries({ queryKey: businessStatusOptions(business.id).queryKey })
      refreshRest()
    },
  })
  return {
    setSubscription: (isSubscribed: boolean) => mutation.mutate(isSubscribed),
    isPending: mutation.isPending,
    /** A subscription was bought. */
    onBought: () => {
      setSubscribed(client, business.id, true)
      void client.invalidateQueries({ queryKey: businessStatusOptions(business.id).queryKey })
      // Counted by the server alone: the page may have been told before the payment was, and may be there by id or by slug.
      for (const { path } of [getBusiness, listBusinesses]) void client.invalidateQueries({ queryKey: [path] })
      refreshRest()
    },
  }
}

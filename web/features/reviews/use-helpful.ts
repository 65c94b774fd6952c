import { useMutation, useQueryClient } from '@tanstack/react-query'
import { markHelpful, unmarkHelpful } from '../../../contracts/reviews.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { changeReview, withHelpful } from './review-caches.ts'

/** Says that a review helped and takes that back, shown at once; undone with a message when the server refuses. */
export function useHelpful(businessId: string, id: string) {
  const client = useQueryClient()
  const mutationKey = ['helpful', id]
  const show = (isHelpful: boolean) => changeReview(client, businessId, id, (review) => withHelpful(review, isHelpful))
  const { mutate } = useMutation({
    mutationKey,
    // One after the other: the last press decides, whatever the network does.
    scope: { id: mutationKey.join(':') },
    mutationFn: (isHelpful: boolean) => call(isHelpful ? markHelpful : unmarkHelpful, { params: { id } }),
    onMutate: show,
    onError: (error, isHelpful) => {
      toast({ title: 'Error', description: messageOf(error, 'Failed to update helpful status'), variant: 'destructive' })
      if (client.isMutating({ mutationKey }) === 1) show(!isHelpful)
    },
    onSuccess: ({ isHelpful, helpfulCount }) => {
      if (client.isMutating({ mutationKey }) > 1) return
      changeReview(client, businessId, id, (review) => ({ ...review, isHelpful, helpfulCount }))
    },
  })
  return { setHelpful: (isHelpful: boolean) => mutate(isHelpful) }
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteRating, type Rating, saveRating } from '../../../contracts/reviews.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { showSummary } from './review-caches.ts'

export type ReviewText = { rating: number; review: string; isFreebie: boolean }

export const textOf = ({ rating, review, isFreebie }: Rating): ReviewText => ({ rating, review: review ?? '', isFreebie })

/** Writes, changes and takes back the signed-in person's review of a business. */
export function useOwnReview(businessId: string) {
  const client = useQueryClient()
  const scope = { id: `review:${businessId}` }
  const save = useMutation({
    scope,
    mutationFn: (text: ReviewText) => call(saveRating, { params: { id: businessId }, body: text }),
    onSuccess: (summary) => showSummary(client, businessId, summary),
  })
  const restore = (text: ReviewText) =>
    save.mutate(text, {
      onError: (error) =>
        toast({ title: 'Error', description: messageOf(error, 'Failed to bring your review back'), variant: 'destructive' }),
    })
  const remove = useMutation({
    scope,
    mutationFn: (_own: Rating) => call(deleteRating, { params: { id: businessId } }),
    onSuccess: (summary, own) => {
      showSummary(client, businessId, summary)
      // What others added to it does not come back; then it was asked before.
      const undo = isWholeOnReturn(own) ? { action: { label: 'Undo', onClick: () => restore(textOf(own)) } } : {}
      toast({ title: 'Review deleted', ...undo })
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error, 'Failed to delete your review'), variant: 'destructive' }),
  })
  return { save, remove }
}

/** Whether writing it again would bring all of it back: nobody has answered it or found it helpful. */
export const isWholeOnReturn = ({ reply, helpfulCount }: Rating): boolean => reply === null && helpfulCount === 0

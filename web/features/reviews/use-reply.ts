import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteReply, replyToRating } from '../../../contracts/reviews.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { changeReview } from './review-caches.ts'

/** The business's answer to a review: written, changed and taken back by those who run it. */
export function useReply(businessId: string, id: string) {
  const client = useQueryClient()
  const scope = { id: `reply:${id}` }
  const save = useMutation({
    scope,
    mutationFn: (content: string) => call(replyToRating, { params: { id }, body: { content } }),
    onSuccess: (review) => changeReview(client, businessId, id, () => review),
  })
  const restore = (content: string) =>
    save.mutate(content, {
      onError: (error) =>
        toast({ title: 'Error', description: messageOf(error, 'Failed to bring the answer back'), variant: 'destructive' }),
    })
  const remove = useMutation({
    scope,
    mutationFn: (_content: string) => call(deleteReply, { params: { id } }),
    onSuccess: (review, content) => {
      changeReview(client, businessId, id, () => review)
      toast({ title: 'Answer deleted', action: { label: 'Undo', onClick: () => restore(content) } })
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error, 'Failed to delete the answer'), variant: 'destructive' }),
  })
  return { save, remove }
}

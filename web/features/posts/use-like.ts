import { useMutation, useQueryClient } from '@tanstack/react-query'
import { likePost, type Post, unlikePost } from '../../../contracts/posts.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { changePost } from './post-caches.ts'

/** Likes a post and takes it back, shown at once; undone with a message when the server refuses. */
export function useLike({ id }: Pick<Post, 'id'>) {
  const client = useQueryClient()
  const mutationKey = ['like', id]
  const show = (isLiked: boolean) =>
    changePost(client, id, (post) =>
      post.isLiked === isLiked ? {} : { isLiked, likesCount: Math.max(0, post.likesCount + (isLiked ? 1 : -1)) },
    )
  const mutation = useMutation({
    mutationKey,
    // One after the other: the last press decides, whatever the network does.
    scope: { id: mutationKey.join(':') },
    mutationFn: (isLiked: boolean) => call(isLiked ? likePost : unlikePost, { params: { id } }),
    onMutate: show,
    onError: (_error, isLiked) => {
      toast({ title: 'Error', description: 'Failed to update like status', variant: 'destructive' })
      if (client.isMutating({ mutationKey }) === 1) show(!isLiked)
    },
    onSuccess: ({ isLiked, likesCount }) => {
      if (client.isMutating({ mutationKey }) === 1) changePost(client, id, () => ({ isLiked, likesCount }))
    },
  })
  return { setLiked: (isLiked: boolean) => mutation.mutate(isLiked) }
}

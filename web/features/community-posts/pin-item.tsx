import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pin, PinOff } from 'lucide-react'
import { listCommunityPosts, pinPost, unpinPost } from '../../../contracts/community-posts.ts'
import type { PostInCommunity } from '../../../contracts/post-in-community.ts'
import type { Post } from '../../../contracts/posts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast-store.ts'
import { changePost } from '../posts/post-caches.ts'

/** Pins a post to the top of its community, or takes the pin away. */
export function PinItem({ post: { id }, community: { isPinned } }: { post: Pick<Post, 'id'>; community: PostInCommunity }) {
  const client = useQueryClient()
  const show = (pinned: boolean) =>
    changePost(client, id, ({ community }) => (community ? { community: { ...community, isPinned: pinned } } : {}))
  const pinning = useMutation({
    mutationFn: (pinned: boolean) => call(pinned ? pinPost : unpinPost, { params: { id } }),
    onSuccess: (state) => {
      show(state.isPinned)
      toast({ title: state.isPinned ? 'Post pinned' : 'Post unpinned' })
      void client.invalidateQueries({ queryKey: [listCommunityPosts.path] })
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <MenuItem onSelect={() => pinning.mutate(!isPinned)}>
      {isPinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
      {isPinned ? 'Unpin' : 'Pin to the top'}
    </MenuItem>
  )
}

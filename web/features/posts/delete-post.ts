import type { QueryClient } from '@tanstack/react-query'
import { deletePost, type Post } from '../../../contracts/posts.ts'
import { addressOf } from '../../lib/address.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { toast } from '../../ui/toast-store.ts'
import { removals } from './pending-removals.ts'
import { dropPost } from './post-caches.ts'

/** Hides a post, offers an Undo, and deletes it when that has passed. */
export function removePost(client: QueryClient, { id }: Pick<Post, 'id'>): void {
  const input = { params: { id } }
  removals.remove({
    id,
    title: 'Post deleted',
    commit: async () => {
      await call(deletePost, input)
      dropPost(client, id)
      // The number of posts in the profile.
      void refreshCurrentUser()
    },
    commitOnLeave: () => void fetch(addressOf(deletePost, input), { method: 'DELETE', credentials: 'same-origin', keepalive: true }),
    onFailed: (error) => toast({ title: 'Error', description: `The post was not deleted. ${messageOf(error)}`, variant: 'destructive' }),
  })
}

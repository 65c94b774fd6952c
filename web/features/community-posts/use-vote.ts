import { useMutation, useQueryClient } from '@tanstack/react-query'
import { unvotePoll, votePoll } from '../../../contracts/community-posts.ts'
import type { Poll } from '../../../contracts/post-in-community.ts'
import type { Post } from '../../../contracts/posts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { changePost } from '../posts/post-caches.ts'
import { withVote } from './poll-words.ts'

/** Votes, moves the vote and takes it back, shown at once; undone with a message when the server refuses. */
export function useVote({ id }: Pick<Post, 'id'>) {
  const client = useQueryClient()
  const mutationKey = ['vote', id]
  const show = (change: (poll: Poll) => Poll) =>
    changePost(client, id, ({ community }) => (community?.poll ? { community: { ...community, poll: change(community.poll) } } : {}))
  const mutation = useMutation({
    mutationKey,
    // One after the other: the last choice decides, whatever the network does.
    scope: { id: mutationKey.join(':') },
    mutationFn: ({ to }: { to: number | null; from: Poll }) =>
      to === null ? call(unvotePoll, { params: { id } }) : call(votePoll, { params: { id }, body: { position: to } }),
    onMutate: ({ to }) => show((poll) => withVote(poll, to)),
    onError: (error, { from }) => {
      toast({ title: 'Error', description: `Your vote was not counted. ${messageOf(error)}`, variant: 'destructive' })
      if (client.isMutating({ mutationKey }) === 1) show(() => from)
    },
    onSuccess: ({ poll }) => {
      if (client.isMutating({ mutationKey }) === 1) show(() => poll)
    },
  })
  return { vote: (from: Poll, to: number | null) => mutation.mutate({ from, to }), isPending: mutation.isPending }
}

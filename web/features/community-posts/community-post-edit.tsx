import { useQueryClient } from '@tanstack/react-query'
import type { PostInCommunity } from '../../../contracts/post-in-community.ts'
import { editPost, type Post } from '../../../contracts/posts.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { changePost } from '../posts/post-caches.ts'
import { refreshCommunityPosts } from './community-posts.api.ts'
import { valuesOf } from './composer-values.ts'
import { PostFields } from './post-fields.tsx'

type CommunityPostEditProps = { userId: string; post: Post & { community: PostInCommunity }; onDone: () => void }

/** Changes the words, pictures and tags of a post in a community. */
export function CommunityPostEdit({ userId, post, onDone }: CommunityPostEditProps) {
  const client = useQueryClient()
  return (
    <PostFields
      communityId={post.community.id}
      subject={`post.${userId}.${post.id}`}
      initial={valuesOf(post)}
      media={post.media}
      isEdit
      submitText="Save"
      pendingText="Saving..."
      onCancel={onDone}
      onSubmit={async ({ title, content, mediaIds, tags }) => {
        const changed = await call(editPost, { params: { id: post.id }, body: { title, content, mediaIds, tags } })
        changePost(client, post.id, () => changed)
        void refreshCommunityPosts(client)
        toast({ title: 'Post saved' })
        onDone()
      }}
    />
  )
}

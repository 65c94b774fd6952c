import { useQueryClient } from '@tanstack/react-query'
import { editPost } from '#contracts/calls/posts.ts'
import type { Post, PostInCommunity } from '#contracts/posts.ts'
import { refreshCommunityPosts } from '#web/entities/community-posts/community-posts.api.ts'
import { valuesOf } from '#web/entities/community-posts/composer-values.ts'
import { PostFields } from '#web/entities/community-posts/post-fields.tsx'
import { changePost } from '#web/entities/posts/posts.api.ts'
import { call } from '#web/lib/call.ts'
import { toast } from '#web/ui/toast-store.ts'

type CommunityPostEditProps = { userId: string; post: Post & { community: PostInCommunity }; onDone: () => void }

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
      onSubmit={async ({ title, content, mentions, mediaIds, tags }) => {
        const changed = await call(editPost, { params: { id: post.id }, body: { title, content, mentions, mediaIds, tags } })
        changePost(client, post.id, () => changed)
        void refreshCommunityPosts(client)
        toast({ title: 'Post saved' })
        onDone()
      }}
    />
  )
}

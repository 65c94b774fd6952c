import { useQueryClient } from '@tanstack/react-query'
import type { NewCommunityPost } from '#contracts/community-posts.ts'
import type { Post, PostInCommunity } from '#contracts/posts.ts'
import { savedPostToast } from '#web/entities/account-status/account-status-words.ts'
import { refreshCommunityPosts } from '#web/entities/community-posts/community-posts.api.ts'
import { valuesOf } from '#web/entities/community-posts/composer-values.ts'
import { PostFields } from '#web/entities/community-posts/post-fields.tsx'
import { changePost } from '#web/entities/posts/posts.api.ts'
import { toast } from '#web/ui/toast-store.ts'

type CommunityPostEditProps = {
  /** Names the draft. */
  subject: string
  post: Post & { community: PostInCommunity }
  onSave: (changes: Pick<NewCommunityPost, 'title' | 'content' | 'mentions' | 'mediaIds' | 'tags'>) => Promise<Post>
  onDone: () => void
}

export function CommunityPostEdit({ subject, post, onSave, onDone }: CommunityPostEditProps) {
  const client = useQueryClient()
  return (
    <PostFields
      communityId={post.community.id}
      subject={subject}
      initial={valuesOf(post)}
      media={post.media}
      isEdit
      submitText="Save"
      pendingText="Saving..."
      onCancel={onDone}
      onSubmit={async ({ title, content, mentions, mediaIds, tags }) => {
        const changed = await onSave({ title, content, mentions, mediaIds, tags })
        changePost(client, post.id, () => changed)
        void refreshCommunityPosts(client)
        toast(savedPostToast(changed))
        onDone()
      }}
    />
  )
}

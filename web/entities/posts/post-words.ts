import type { CommunityPostType, PostType } from '#contracts/posts.ts'

/** The specification gives their order and hints. */
export const postTypes: Record<PostType, { label: string; hint: string }> = {
  update: { label: 'Update', hint: 'Share your cannabis journey, growing updates, or general thoughts' },
  promotion: { label: 'Promotion', hint: 'Promote your products, deals, or special offers' },
  educational: { label: 'Educational', hint: 'Share knowledge, tips, or educational content' },
  product: { label: 'Product', hint: 'Showcase a specific product or strain' },
}

export const communityPostTypes: Record<CommunityPostType, { label: string; hint: string }> = {
  discussion: { label: 'Discussion', hint: 'Start a conversation' },
  question: { label: 'Question', hint: 'Accept the answer that helped so others can find it' },
  grow_update: { label: 'Grow update', hint: 'How your plants are doing, with photos' },
  poll: { label: 'Poll', hint: 'Members vote, then see the results' },
}

const allTypes: Partial<Record<string, { label: string }>> = { ...postTypes, ...communityPostTypes }

/** Unknown types are labeled as updates. */
export const postTypeLabel = (type: string): string => (allTypes[type] ?? postTypes.update).label

/** The types of personal posts and of posts by unlicensed businesses, neither of which may advertise. */
export const personalTypes: readonly PostType[] = ['update', 'educational']

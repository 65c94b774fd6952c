import type { CommunityPostType, PostType } from '../../../contracts/posts.ts'
import { formatNumber } from '../../lib/format.ts'

/** In the specification's order, with its hints. */
export const postTypes: Record<PostType, { label: string; hint: string }> = {
  update: { label: 'Update', hint: 'Share your cannabis journey, growing updates, or general thoughts' },
  promotion: { label: 'Promotion', hint: 'Promote your products, deals, or special offers' },
  educational: { label: 'Educational', hint: 'Share knowledge, tips, or educational content' },
  product: { label: 'Product', hint: 'Showcase a specific product or strain' },
}

/** What is posted in a community. */
export const communityPostTypes: Record<CommunityPostType, { label: string; hint: string }> = {
  discussion: { label: 'Discussion', hint: 'Something to talk about' },
  question: { label: 'Question', hint: 'Accept the answer that helped, and others find it' },
  grow_update: { label: 'Grow update', hint: 'How your plants are doing, with photos' },
  poll: { label: 'Poll', hint: 'Let members vote. How they did shows once you have voted' },
}

const allTypes: Partial<Record<string, { label: string }>> = { ...postTypes, ...communityPostTypes }

/** Anything the page does not know is an update. */
export const postTypeLabel = (type: string): string => (allTypes[type] ?? postTypes.update).label

/** Advertising needs a business behind it. */
export const personalTypes: readonly PostType[] = ['update', 'educational']

export const countOf = (count: number, one: string, many: string): string => `${formatNumber(count)} ${count === 1 ? one : many}`

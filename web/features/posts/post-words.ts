import type { PostType } from '../../../contracts/posts.ts'

/** In the specification's order, with its hints. */
export const postTypes: Record<PostType, { label: string; hint: string }> = {
  update: { label: 'Update', hint: 'Share your cannabis journey, growing updates, or general thoughts' },
  promotion: { label: 'Promotion', hint: 'Promote your products, deals, or special offers' },
  educational: { label: 'Educational', hint: 'Share knowledge, tips, or educational content' },
  product: { label: 'Product', hint: 'Showcase a specific product or strain' },
}

/** Anything the page does not know is an update. */
export const postTypeLabel = (type: string): string => (type in postTypes ? postTypes[type as PostType].label : postTypes.update.label)

/** Advertising needs a business behind it. */
export const personalTypes: readonly PostType[] = ['update', 'educational']

export const countOf = (count: number, one: string, many: string): string => `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

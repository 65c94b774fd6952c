import type { BusinessType } from '../../../contracts/business-types.ts'
import type { PostType } from '../../../contracts/posts.ts'
import { demoFarms } from './demo-farms.ts'
import { demoShops } from './demo-shops.ts'

export type DemoBusiness = {
  key: string
  /** Key of the person who runs it. */
  owner: string
  name: string
  type: BusinessType
  city: string
  state: string
  description: string
  /** Prices in cents of a dollar. */
  products: { name: string; price: number; category: string; description: string; isAvailable?: boolean }[]
  posts: { daysAgo: number; type: PostType; title: string; content: string; isExclusive?: boolean }[]
}

export const demoBusinesses: DemoBusiness[] = [...demoFarms, ...demoShops]

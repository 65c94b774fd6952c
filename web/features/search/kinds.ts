import { Dna, type LucideIcon, Newspaper, Package, Store, UserRound, UsersRound } from 'lucide-react'
import type { SearchKind } from '../../../contracts/search.ts'

type Kind = { one: string; many: string; Icon: LucideIcon }

/** What can be found, in the order of the tabs. */
export const kinds: Record<SearchKind, Kind> = {
  business: { one: 'Business', many: 'Businesses', Icon: Store },
  product: { one: 'Product', many: 'Products', Icon: Package },
  post: { one: 'Post', many: 'Posts', Icon: Newspaper },
  person: { one: 'Person', many: 'People', Icon: UserRound },
  community: { one: 'Community', many: 'Communities', Icon: UsersRound },
  strain: { one: 'Strain', many: 'Strains', Icon: Dna },
}

export const kindNames = Object.keys(kinds) as SearchKind[]

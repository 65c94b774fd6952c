import type { BusinessType } from '../../../contracts/business-types.ts'
import type { CommunityCategory, CommunityRole, CommunitySort, CommunityVisibility } from '../../../contracts/communities.ts'
import { counted } from '../../lib/counted.ts'

export const categoryNames: Record<CommunityCategory, string> = {
  growing: 'Growing',
  strains: 'Strains',
  medical: 'Medical',
  business: 'Business',
  general: 'General',
}

export const categoryHints: Record<CommunityCategory, string> = {
  growing: 'Seeds, rooms, soil and harvests',
  strains: 'Crosses, lineages and phenotypes',
  medical: 'Patients and access to shops',
  business: 'Licensed trade among colleagues',
  general: 'Everything else',
}

/** Whose tones the drawn cover of each category takes. */
export const coverTypes: Record<CommunityCategory, BusinessType> = {
  growing: 'farm',
  strains: 'delivery',
  medical: 'glass_shop',
  business: 'food_service',
  general: 'dispensary',
}

export const visibilityNames: Record<CommunityVisibility, string> = { public: 'Public', private: 'Private', invite_only: 'Invite Only' }

export const visibilityHints: Record<CommunityVisibility, string> = {
  public: 'Everybody who is signed in finds it, reads it and can join.',
  private: 'Nobody but its members, and those you invite, knows that it exists.',
  invite_only: 'Everybody finds it and can ask to join. Members alone read what is said.',
}

export const roleNames: Record<CommunityRole, string> = { owner: 'Owner', moderator: 'Moderator', member: 'Member' }

export const sortNames: Record<CommunitySort, string> = { featured: 'Featured', newest: 'Newest', name: 'Name' }

/** "1,204 members · 312 posts"; of one whose posts are not there for the viewer, the members alone. */
export const countWords = ({ memberCount, postCount }: { memberCount: number; postCount: number | null }): string =>
  [counted(memberCount, 'member'), ...(postCount === null ? [] : [counted(postCount, 'post')])].join(' · ')

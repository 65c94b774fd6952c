import type { BusinessType } from '#contracts/business-types.ts'
import type { CommunityCategory, CommunityRole, CommunitySort, CommunityVisibility } from '#contracts/communities.ts'
import { counted } from '#web/lib/format.ts'

export const categoryNames: Record<CommunityCategory, string> = {
  growing: 'Growing',
  strains: 'Strains',
  medical: 'Medical',
  business: 'Business',
  general: 'General',
}

export const categoryHints: Record<CommunityCategory, string> = {
  growing: 'Seeds, rooms, soil and harvests',
  strains: 'Crosses, lineages and phenos',
  medical: 'Patients and access to dispensaries',
  business: 'Industry professionals',
  general: 'Off topic',
}

export const coverTypes: Record<CommunityCategory, BusinessType> = {
  growing: 'farm',
  strains: 'delivery',
  medical: 'glass_shop',
  business: 'food_service',
  general: 'dispensary',
}

export const visibilityNames: Record<CommunityVisibility, string> = { public: 'Public', private: 'Private', invite_only: 'Invite Only' }

export const visibilityHints: Record<CommunityVisibility, string> = {
  public: 'Anyone signed in can find it, read it and join.',
  private: 'Hidden. Only members and people you invite can find it.',
  invite_only: 'Anyone signed in can find it and ask to join. Only members can read posts.',
}

export const roleNames: Record<CommunityRole, string> = { owner: 'Owner', moderator: 'Moderator', member: 'Member' }

export const sortNames: Record<CommunitySort, string> = { featured: 'Featured', newest: 'Newest', name: 'Name' }

/** "1,204 members · 312 posts", without posts if the viewer can't see them. */
export const countWords = ({ memberCount, postCount }: { memberCount: number; postCount: number | null }): string =>
  [counted(memberCount, 'member'), ...(postCount === null ? [] : [counted(postCount, 'post')])].join(' · ')

import type { BusinessType } from '#contracts/business-types.ts'
import type { GuideStep } from '#contracts/guide.endpoints.ts'

export type GuideFacts = {
  hasProfile: boolean
  follows: boolean
  subscribes: boolean
  hasFavorite: boolean
  hasReviewed: boolean
  isInCommunity: boolean
  hasPosted: boolean
  hasHunt: boolean
  hasBusiness: boolean
  hasLicense: boolean
  hasDescription: boolean
  hasMenu: boolean
  hasHours: boolean
  hasBusinessPost: boolean
  hasTeam: boolean
  hasPlan: boolean
}

type Step = Pick<GuideStep, 'id' | 'title' | 'text' | 'path' | 'featureName'> & { shownBy: keyof GuideFacts }

const hunt: Step = {
  id: 'hunt',
  title: 'Start a pheno hunt',
  text: 'Grow seeds, log what you see, and find the plant worth keeping.',
  path: '/pheno-hunt',
  featureName: 'pheno hunt',
  shownBy: 'hasHunt',
}

const forPeople: readonly Step[] = [
  {
    id: 'profile',
    title: 'Complete your profile',
    text: 'Your city and interests shape your suggestions.',
    path: '/settings#profile',
    featureName: 'profile',
    shownBy: 'hasProfile',
  },
  {
    id: 'follow',
    title: 'Follow a business',
    text: 'Its posts appear in your feed. Following is free.',
    path: '/discover',
    featureName: 'following',
    shownBy: 'follows',
  },
  {
    id: 'favorite',
    title: 'Save a favorite',
    text: 'Tap the heart to save a place.',
    path: '/discover',
    featureName: 'favorites',
    shownBy: 'hasFavorite',
  },
  {
    id: 'subscribe',
    title: 'Subscribe to a business',
    text: 'Unlock its subscriber-only posts.',
    path: '/discover',
    featureName: 'subscribing',
    shownBy: 'subscribes',
  },
  {
    id: 'review',
    title: 'Write a review',
    text: 'Tell others about a place you visited.',
    path: '/discover',
    featureName: 'writing a review',
    shownBy: 'hasReviewed',
  },
  {
    id: 'community',
    title: 'Join a community',
    text: 'Talk with people who grow, cook or collect what you do.',
    path: '/communities',
    featureName: 'communities',
    shownBy: 'isInCommunity',
  },
  {
    id: 'post',
    title: 'Write your first post',
    text: 'A photo and a line are enough.',
    path: '/create-post',
    featureName: 'writing a post',
    shownBy: 'hasPosted',
  },
  hunt,
]

const forBusinesses = (plansPath: string): readonly Step[] => [
  {
    id: 'claim',
    title: 'Claim or register your business',
    text: 'It may already be listed. If not, it takes four short steps.',
    path: '/business/register',
    featureName: 'claiming a listing',
    shownBy: 'hasBusiness',
  },
  {
    id: 'license',
    title: 'Verify your license',
    text: 'You need a verified license to post products and promotions.',
    path: '/business-dashboard/license',
    featureName: 'licenses',
    shownBy: 'hasLicense',
  },
  {
    id: 'page',
    title: 'Describe your business',
    text: 'A few sentences help people find you.',
    path: '/business-dashboard/profile',
    featureName: 'registering a business',
    shownBy: 'hasDescription',
  },
  {
    id: 'menu',
    title: 'Add your menu',
    text: 'Add items one by one, or from a spreadsheet.',
    path: '/business-dashboard/menu',
    featureName: 'menus',
    shownBy: 'hasMenu',
  },
  {
    id: 'hours',
    title: 'Set your opening hours',
    text: 'So people know before they set out.',
    path: '/business-dashboard?tab=locations',
    featureName: 'opening hours',
    shownBy: 'hasHours',
  },
  {
    id: 'first-post',
    title: 'Publish your first post',
    text: 'It reaches everyone who follows you.',
    path: '/create-post',
    featureName: 'writing a post',
    shownBy: 'hasBusinessPost',
  },
  {
    id: 'team',
    title: 'Invite your team',
    text: 'Managers and staff see and change what their role allows.',
    path: '/business-dashboard/team',
    featureName: 'team',
    shownBy: 'hasTeam',
  },
  {
    id: 'plan',
    title: 'See the plans',
    text: 'What’s free stays free. See what each plan adds.',
    path: plansPath,
    featureName: 'plans for businesses',
    shownBy: 'hasPlan',
  },
]

type GuideAccount = { userType: 'consumer' | 'business'; businessType: BusinessType | null }

export function stepsFor({ userType, businessType }: GuideAccount, brandSlug: string): readonly Step[] {
  if (userType === 'consumer') return forPeople
  const steps = forBusinesses(`/${brandSlug}`)
  return businessType === 'farm' ? [...steps, hunt] : steps
}

type Marks = { marked: readonly string[]; current: string | null }

/**
 * The checklist with completed steps, by records or by hand. While any step is open, the current step is the one the person
 * left off at, done or not; by default the first that isn't done.
 */
export function checklistOf(steps: readonly Step[], facts: GuideFacts, { marked, current }: Marks) {
  const listed = steps.map(({ shownBy, ...step }): GuideStep => {
    const doneBy = facts[shownBy] ? ('record' as const) : marked.includes(step.id) ? ('mark' as const) : null
    return { ...step, isDone: doneBy !== null, doneBy }
  })
  const completed = listed.filter(({ isDone }) => isDone).length
  const firstOpen = listed.find(({ isDone }) => !isDone)?.id ?? null
  return {
    steps: listed,
    completed,
    total: listed.length,
    current: firstOpen !== null && listed.some(({ id }) => id === current) ? current : firstOpen,
  }
}

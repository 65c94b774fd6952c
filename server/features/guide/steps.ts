import type { BusinessType } from '../../../contracts/business-types.ts'
import type { GuideStep } from '../../../contracts/guide.ts'

/** What the own records show. */
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
    text: 'Your city and interests are what suggestions are made of.',
    path: '/settings#profile',
    featureName: 'profile',
    shownBy: 'hasProfile',
  },
  {
    id: 'follow',
    title: 'Follow a business',
    text: 'What it posts comes into your feed. Following is free.',
    path: '/discover',
    featureName: 'following',
    shownBy: 'follows',
  },
  {
    id: 'favorite',
    title: 'Keep a favorite',
    text: 'Press the heart on a place that you want to find again.',
    path: '/discover',
    featureName: 'favorites',
    shownBy: 'hasFavorite',
  },
  {
    id: 'subscribe',
    title: 'Subscribe to a business',
    text: 'Opens the posts that are for its subscribers alone.',
    path: '/discover',
    featureName: 'subscribing',
    shownBy: 'subscribes',
  },
  {
    id: 'review',
    title: 'Write a review',
    text: 'Say how it was at a place that you visited.',
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
    text: 'It may be listed already. If not, it takes four short steps.',
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
    text: 'A few sentences, so that people find you by what you do.',
    path: '/business-dashboard/profile',
    featureName: 'registering a business',
    shownBy: 'hasDescription',
  },
  {
    id: 'menu',
    title: 'Put up your menu',
    text: 'One by one, or from a spreadsheet.',
    path: '/business-dashboard/menu',
    featureName: 'menus',
    shownBy: 'hasMenu',
  },
  {
    id: 'hours',
    title: 'Set your opening hours',
    text: 'So that people know before they set out.',
    path: '/business-dashboard?tab=locations',
    featureName: 'opening hours',
    shownBy: 'hasHours',
  },
  {
    id: 'first-post',
    title: 'Publish your first post',
    text: 'It reaches everybody who follows you.',
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
    title: 'Look at the plans',
    text: 'What is free stays free. No plan moves a listing up.',
    path: plansPath,
    featureName: 'plans for businesses',
    shownBy: 'hasPlan',
  },
]

export type GuideAccount = { userType: 'consumer' | 'business'; businessType: BusinessType | null }

/** The checklist of a kind of account, in the order in which things are best done. */
export function stepsFor({ userType, businessType }: GuideAccount, brandSlug: string): readonly Step[] {
  if (userType === 'consumer') return forPeople
  const steps = forBusinesses(`/${brandSlug}`)
  return businessType === 'farm' ? [...steps, hunt] : steps
}

export type Marks = { marked: readonly string[]; current: string | null }

/**
 * The checklist with what is done: by the records, or by hand. The open step is the one that was left open, done or not, as long as any
 * step is open; by itself the first that is not done.
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

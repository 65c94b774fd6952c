import { sql } from 'kysely'
import type { BusinessType } from '#contracts/business-types.ts'
import type { GuideStep } from '#contracts/guide.endpoints.ts'
import type { Db } from '#server/db/connect.ts'

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
  text: 'Grow seeds, log what you see and find the plant worth keeping.',
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
    title: 'Add a favorite',
    text: 'Tap the heart on any business.',
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
    text: 'A photo and one line of text are enough.',
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
    text: 'It may already be listed. If not, register it with one short form.',
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
    text: 'So people know before they head out.',
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
    text: 'Managers and staff can see and change what their role allows.',
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
 * Steps are completed by records or manually. While any step is open, the current step is where the person left off, done or
 * not; by default, the first that isn't done.
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

/** Checklist facts from the person's own records, in one query with an index lookup each. */
export async function readFacts(db: Db, userId: string, now: Date): Promise<GuideFacts> {
  const me = sql`${userId}::uuid`
  const ofMine = (table: 'products' | 'posts') =>
    sql`exists (select from ${sql.table(table)} join mine on mine.business_id = ${sql.table(table)}.business_id)`
  const { rows } = await sql<GuideFacts>`
    with mine as (select business_id from business_members where user_id = ${me})
    select
      exists (select from users where id = ${me} and location is not null and location <> '' and cardinality(interests) > 0) as "hasProfile",
      (exists (select from business_follows where user_id = ${me})
        or exists (select from person_follows where follower_id = ${me})) as "follows",
      exists (select from subscriptions where user_id = ${me}) as "subscribes",
      exists (select from favorites where user_id = ${me}) as "hasFavorite",
      exists (select from reviews where user_id = ${me}) as "hasReviewed",
      exists (select from community_members where user_id = ${me}) as "isInCommunity",
      exists (select from posts where author_id = ${me} and business_id is null) as "hasPosted",
      exists (select from hunts where owner_id = ${me}) as "hasHunt",
      (exists (select from mine) or exists (select from claims where user_id = ${me} and status = 'open')) as "hasBusiness",
      exists (select from license_verifications join mine using (business_id) where status = 'verified' or (status = 'pending' and document_id is not null)) as "hasLicense",
      exists (select from businesses join mine on mine.business_id = businesses.id where description <> '') as "hasDescription",
      ${ofMine('products')} as "hasMenu",
      exists (select from locations join mine using (business_id) where has_hours) as "hasHours",
      ${ofMine('posts')} as "hasBusinessPost",
      (exists (select from business_members others join mine using (business_id) where others.user_id <> ${me})
        or exists (select from team_invitations join mine using (business_id) where revoked_at is null)) as "hasTeam",
      exists (select from agreements join mine on mine.business_id = agreements.business_id
        where plan_id is not null and entitled_until > ${now}) as "hasPlan"`.execute(db)
  return rows[0] as GuideFacts
}

export const readMarks = (db: Db, userId: string) =>
  db
    .selectFrom('guide_progress')
    .select(['marked', 'current_step', 'is_dismissed', 'uses_model'])
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** The facts about a person that the guide uses. A language model never receives the location. */
export const readAccount = (db: Db, userId: string) =>
  db
    .selectFrom('users')
    .select(['first_name', 'display_name', 'user_type', 'business_type', 'interests', 'location'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()

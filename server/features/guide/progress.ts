import { sql } from 'kysely'
import type { Parsed, ResponseOf } from '#contracts/endpoint.ts'
import type { askOnboarding, GuideLink, GuideProgress, saveGuideProgress } from '#contracts/guide.endpoints.ts'
import { listBusinesses } from '#server/features/businesses/index.ts'
import { suggestCommunities } from '#server/features/communities/index.ts'
import { getSuggestions } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import { resolvePlace } from '#server/kernel/geo/place-search.ts'
import { phraseWithModel } from './answer-question.ts'
import { boundaryOf, isSafeText, refusalOf } from './boundaries.ts'
import { foundBusiness, foundCommunity, onlyRecommendable, plainName } from './find-records.ts'
import { type HelpIndex, subjectsOf } from './help-index.ts'
import { checklistOf, readAccount, readFacts, readMarks, stepsFor } from './steps.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'brand' | 'ai'>

export async function getProgress({ db, clock, brand, ai }: Ctx, actor: Pick<Actor, 'id'>): Promise<GuideProgress> {
  const [account, facts, marks] = await Promise.all([
    readAccount(db, actor.id),
    readFacts(db, actor.id, clock.now()),
    readMarks(db, actor.id),
  ])
  const steps = stepsFor({ userType: account.user_type, businessType: account.business_type }, brand.slug)
  return {
    ...checklistOf(steps, facts, { marked: marks?.marked ?? [], current: marks?.current_step ?? null }),
    isDismissed: marks?.is_dismissed ?? false,
    usesModel: marks?.uses_model ?? false,
    modelHost: ai?.host ?? null,
  }
}

/** Changes only what the request contains, so an outdated page doesn't undo changes made elsewhere. Drops unknown step IDs. */
export async function saveProgress(
  ctx: Ctx,
  actor: Pick<Actor, 'id'>,
  { completed, current, isDismissed, usesModel }: Parsed<(typeof saveGuideProgress)['body']>,
): Promise<GuideProgress> {
  const account = await readAccount(ctx.db, actor.id)
  const known = new Set(stepsFor({ userType: account.user_type, businessType: account.business_type }, ctx.brand.slug).map(({ id }) => id))
  const values = {
    ...(completed && { marked: [...new Set(completed)].filter((id) => known.has(id)) }),
    ...(current !== undefined && { current_step: current !== null && known.has(current) ? current : null }),
    ...(isDismissed !== undefined && { is_dismissed: isDismissed }),
    ...(usesModel !== undefined && { uses_model: usesModel }),
    updated_at: ctx.clock.now(),
  }
  await ctx.db
    .insertInto('guide_progress')
    .values({ user_id: actor.id, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
  return getProgress(ctx, actor)
}

type Body = Parsed<(typeof askOnboarding)['body']>
type Answer = ResponseOf<typeof askOnboarding>
type Account = Awaited<ReturnType<typeof readAccount>>

const nothing: Answer = { welcomeMessage: '', featureGuidance: '', recommendations: [], links: [], guidanceLinks: [], voice: 'built-in' }

/** The call that the specification defines. The account takes precedence; the request only fills in what the account leaves open. */
export async function answerOnboarding(ctx: Context, help: HelpIndex, actor: Actor, body: Body): Promise<Answer> {
  const account = await readAccount(ctx.db, actor.id)
  if (body.type === 'feature') return { ...nothing, ...(await guidance(ctx, help, actor, body)) }
  const [recommended, welcome] = await Promise.all([
    recommend(ctx, actor, account),
    body.type === 'welcome' ? welcomeTo(ctx, actor, account, body) : { welcomeMessage: '', voice: 'built-in' as const },
  ])
  return { ...nothing, ...welcome, recommendations: recommended.map(({ text }) => text), links: recommended.map(({ link }) => link) }
}

async function welcomeTo(ctx: Context, actor: Actor, account: Account, body: Body): Promise<Pick<Answer, 'welcomeMessage' | 'voice'>> {
  const name = plainName(account.first_name || account.display_name || body.userName || '').slice(0, 40)
  const progress = await getProgress(ctx, actor)
  const own = ownWelcome(ctx.brand.name, name, progress)
  // About the person, the model receives only the name in the greeting, the account type and the interests.
  const kind = account.user_type === 'business' ? 'a business' : 'a person'
  const asked = `Welcome ${name || 'someone'}, who has the account of ${kind}${account.interests.length > 0 ? `, interested in ${account.interests.map(plainName).join(', ')}` : ''}. Two sentences, and what to begin with.`
  const sources = progress.steps.slice(0, 4).map(({ title, text, path }) => ({ title, text, path }))
  const worded = await phraseWithModel(ctx, actor, asked, sources)
  return worded ? { welcomeMessage: worded.text, voice: 'model' } : { welcomeMessage: own, voice: 'built-in' }
}

function ownWelcome(brand: string, name: string, { steps, completed, total, current }: GuideProgress): string {
  const comma = name === '' ? '' : `, ${name}`
  const next = steps.find(({ id }) => id === current)?.title
  if (!next) return `All ${total} steps are done${comma}. Ask me where something is, or see what’s new near you.`
  if (completed === 0) return `Welcome to ${brand}${comma}. ${total} small steps show you around. A good first one: ${next}.`
  if (completed === 1) return `Welcome to ${brand}${comma}. ${total} small steps show you around; one is done. Next: ${next}.`
  return `Welcome back${comma}. ${completed} of ${total} steps are done. Next: ${next}.`
}

async function guidance(ctx: Context, help: HelpIndex, actor: Actor, { featureName, currentStep }: Body): Promise<Partial<Answer>> {
  const asked = featureName || currentStep || ''
  const refused = boundaryOf(asked)
  if (refused) {
    const { answer, links } = refusalOf(refused, asked)
    return { featureGuidance: answer, guidanceLinks: links }
  }
  const articles = help.find(subjectsOf(asked), 2)
  const [article] = articles
  if (!article) {
    return { featureGuidance: 'The help center may have more on that.', guidanceLinks: [{ title: 'Help center', path: '/help' }] }
  }
  // Sends the heading of the help article instead of the person's words.
  const worded = await phraseWithModel(ctx, actor, `Explain in two sentences: ${article.title}`, articles)
  const used = worded?.used ?? articles
  return {
    featureGuidance: worded?.text ?? article.text,
    guidanceLinks: used.map(({ title, path }) => ({ title, path })),
    voice: worded ? 'model' : 'built-in',
  }
}

type Recommended = { text: string; link: GuideLink }

type Profile = { user_type: 'consumer' | 'business'; interests: string[]; location: string | null }

const maxBusinesses = 2
const maxCommunities = 2
const maxPosts = 1
/** Fetches more than needed, since known businesses are filtered out. */
const looksAt = 20

/**
 * Recommends nearby businesses, communities and posts that are new to the person, from lists they could read themselves,
 * each as a sentence with a link. Placement can't be bought.
 */
async function recommend(ctx: Context, actor: Actor, account: Profile): Promise<Recommended[]> {
  const now = ctx.clock.now()
  const [businesses, communities, posts] = await Promise.all([
    account.user_type === 'business' ? [] : nearbyBusinesses(ctx, actor, account.location),
    suggestCommunities(ctx.db, actor, now),
    getSuggestions(ctx, actor, nearOf(account.location)),
  ])
  const interests = account.interests.flatMap((interest) => foldText(interest).split(/\s+/)).filter((word) => word.length > 3)
  /** Stable sort that puts matches with an interest first. */
  const byInterest = <Item>(items: readonly Item[], textOf: (item: Item) => string): Item[] => {
    const matches = (item: Item) => Number(interests.some((word) => foldText(textOf(item)).includes(word)))
    return [...items].sort((a, b) => matches(b) - matches(a))
  }
  return [
    ...businesses.slice(0, maxBusinesses).map(foundBusiness),
    ...byInterest(
      communities.map(({ community }) => community),
      ({ name, category, description }) => `${name} ${category} ${description}`,
    )
      .filter(({ name }) => isSafeText(name))
      .slice(0, maxCommunities)
      .map(foundCommunity),
    ...byInterest(
      posts.filter(({ isLocked, business }) => !isLocked && business !== null),
      ({ title, tags }) => `${title} ${tags.join(' ')}`,
    )
      .filter(({ title }) => isSafeText(title))
      .slice(0, maxPosts)
      .map(({ id, title, business }) => ({
        title: plainName(title),
        path: `/post/${id}`,
        fact: `a post by ${plainName(business?.name ?? '')}`,
      })),
  ].map(({ title, path, fact }) => ({ text: `${title}: ${fact}`, link: { title, path } }))
}

/** Empty if the location is missing or isn't a known place. */
const nearOf = (location: string | null) => (location && resolvePlace(location) ? { near: location } : {})

async function nearbyBusinesses(ctx: Context, actor: Actor, location: string | null) {
  const { items } = await listBusinesses(
    ctx.db,
    { ...nearOf(location), widen: true, sort: 'highest_rated', limit: looksAt },
    ctx.clock.now(),
  )
  const known = await knownBusinesses(ctx, actor.id)
  return onlyRecommendable(
    ctx,
    actor.id,
    items.filter(({ id }) => !known.has(id)),
  )
}

/** Followed, favorited, subscribed to, or the person's own. */
async function knownBusinesses({ db }: Context, userId: string): Promise<Set<string>> {
  const me = sql`${userId}::uuid`
  const { rows } = await sql<{ business_id: string }>`
    select business_id from business_follows where user_id = ${me}
    union select business_id from favorites where user_id = ${me}
    union select business_id from subscriptions where user_id = ${me}
    union select business_id from business_members where user_id = ${me}`.execute(db)
  return new Set(rows.map(({ business_id }) => business_id))
}

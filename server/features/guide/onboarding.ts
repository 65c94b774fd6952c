import type { Parsed, ResponseOf } from '../../../contracts/endpoint.ts'
import type { askOnboarding, GuideProgress } from '../../../contracts/guide.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { wordedByModel } from './ask-model.ts'
import { boundaryOf } from './boundaries.ts'
import { plainName } from './find-records.ts'
import { type HelpIndex, subjectsOf } from './help-index.ts'
import { readAccount } from './progress.queries.ts'
import { getProgress } from './progress.ts'
import { recommend } from './recommend.ts'
import { refusalOf } from './refusals.ts'

type Body = Parsed<(typeof askOnboarding)['body']>
type Answer = ResponseOf<typeof askOnboarding>
type Account = Awaited<ReturnType<typeof readAccount>>

const nothing: Answer = { welcomeMessage: '', featureGuidance: '', recommendations: [], links: [], guidanceLinks: [], voice: 'built-in' }

/** The specification's call. The account says who somebody is; what the page sent only fills what the account leaves open. */
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
  // First name, kind of account and interests: nothing else of a person is told, not even what they have done.
  const kind = account.user_type === 'business' ? 'a business' : 'a person'
  const asked = `Welcome ${name || 'somebody'}, whose account is that of ${kind}${account.interests.length > 0 ? `, interested in ${account.interests.map(plainName).join(', ')}` : ''}. Two sentences, and what to begin with.`
  const sources = progress.steps.slice(0, 4).map(({ title, text, path }) => ({ title, text, path }))
  const worded = await wordedByModel(ctx, actor, asked, sources)
  return worded ? { welcomeMessage: worded.text, voice: 'model' } : { welcomeMessage: own, voice: 'built-in' }
}

function ownWelcome(brand: string, name: string, { steps, completed, total, current }: GuideProgress): string {
  const comma = name === '' ? '' : `, ${name}`
  const next = steps.find(({ id }) => id === current)?.title
  if (!next) return `All ${total} steps are done${comma}. Ask me where something is, or look at what is new near you.`
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
    return { featureGuidance: 'The help center may know more about that.', guidanceLinks: [{ title: 'Help center', path: '/help' }] }
  }
  // The heading of our own article, not the words of whoever asks.
  const worded = await wordedByModel(ctx, actor, `Explain in two sentences: ${article.title}`, articles)
  const used = worded?.used ?? articles
  return {
    featureGuidance: worded?.text ?? article.text,
    guidanceLinks: used.map(({ title, path }) => ({ title, path })),
    voice: worded ? 'model' : 'built-in',
  }
}

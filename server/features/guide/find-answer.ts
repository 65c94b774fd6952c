import { getShownBusiness } from '#server/features/businesses/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { resolvePlace } from '#server/kernel/geo/place-search.ts'
import { findBusiness } from './find-business.ts'
import { findEvents } from './find-events.ts'
import { findPlaces, type Where } from './find-places.ts'
import { findProducts, findProductsAt } from './find-products.ts'
import type { Finding } from './find-records.ts'
import { findCommunities, findStrain } from './find-records.ts'
import { type Article, type HelpIndex, subjectsOf } from './help-index.ts'
import { findNamed, type Named } from './named-business.ts'
import { type Asked, asksToBuy, readQuestion } from './question.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type Answered = Finding | { articles: Article[] }

const maxArticles = 2
const maxNamed = 3

/**
 * Looks where the question's words point, from the most to the least specific: how the site works, a business it names,
 * events, communities, products, places; and last whatever its words alone find.
 */
export async function findAnswer(ctx: Ctx, help: HelpIndex, actor: Actor, asked: Asked, location: string | null): Promise<Answered> {
  const where = whereOf(asked, location)
  const articles = help.find(subjectsOf(asked.text), maxArticles)
  if (asked.isHowTo && articles.length > 0) return { articles }

  const named = asked.isHowTo ? null : await findNamed(ctx.db, actor.id, asked, where)
  if (named) return aboutNamed(ctx, actor, named, where)
  if (asked.unknownPlace && isAboutSomewhere(asked)) {
    return { unknown: `I don’t know where “${asked.unknownPlace}” is. Add the state, or use a ZIP code.`, more: [] }
  }
  if (asked.isAboutCommunities) {
    const found = await findCommunities(ctx, actor, asked)
    if (found.length > 0) return { lead: 'Communities:', found, more: [], isPrivate: false }
    return articles.length > 0 ? { articles } : { unknown: 'I found no community about that.', more: [allCommunities] }
  }
  if (isAboutUnknownBusiness(asked)) return { unknown: `I found no business called “${asked.words.join(' ')}”.`, more: [] }
  if (isAboutSomewhere(asked)) return aboutSomewhere(ctx, actor, asked, where)
  return aboutWords(ctx, actor, asked, where, articles)
}

const allCommunities = { title: 'Communities', path: '/communities' }

/** A place that the question names, or the person's city. */
export const whereOf = (asked: Asked, location: string | null): Where | null =>
  asked.place ? { ...asked.place, isHome: false } : homeOf(location)

function homeOf(location: string | null): Where | null {
  const place = location === null ? null : resolvePlace(location)
  if (!place) return null
  const { label, name, kind, state, latitude, longitude } = place
  return { label, name, kind, state, latitude, longitude, isInside: false, isHome: true }
}

const isAboutSomewhere = (asked: Asked) =>
  asked.isAboutEvents ||
  asked.isAboutProducts ||
  asked.type !== null ||
  (asked.isAboutPlaces && (asked.words.length === 0 || asksToBuy(asked.text) || asked.isNearMe || asked.place !== null))

const ofOneBusiness = new Set(['hours', 'phone', 'address', 'website', 'license'])
const isAboutUnknownBusiness = (asked: Asked) =>
  asked.words.length > 0 &&
  asked.type === null &&
  asked.aspect !== null &&
  ofOneBusiness.has(asked.aspect) &&
  !asked.isAboutEvents &&
  !asked.isHowTo &&
  !asked.isNearMe

async function aboutNamed(ctx: Ctx, actor: Actor, { ids, name, rest: restOfText }: Named, where: Where | null): Promise<Finding> {
  // Without the name, whose words may mean something else: "Flatiron Buds".
  const rest = readQuestion(restOfText)
  const findings = await Promise.all(
    ids.slice(0, maxNamed).map(async (id): Promise<Finding> => {
      const business = await getShownBusiness(ctx.db, id, ctx.clock.now())
      if (rest.isAboutEvents) return findEvents(ctx, actor, rest, { business })
      const nameWords = new Set(business.name.toLowerCase().split(/[^a-z0-9']+/))
      const more = rest.words.filter((word) => !nameWords.has(word))
      const isAboutItem = more.length > 0 && rest.aspect === null && rest.time === null
      if (rest.isAboutProducts || isAboutItem) return findProductsAt(ctx, actor, rest, business, more)
      const finding = await findBusiness(ctx, actor, business, rest, where)
      return ids.length > 1 ? withPlace(finding, business.location) : finding
    }),
  )
  const known = findings.filter((finding) => 'found' in finding)
  const [first] = known.length > 0 ? known : findings
  if (first === undefined) return { unknown: `I found no business called “${name}”.`, more: [] }
  if ('unknown' in first || known.length === 1) return first
  const found = known.flatMap((finding) => finding.found)
  return { ...first, found, more: known.flatMap(({ more }) => more), isPrivate: known.some(({ isPrivate }) => isPrivate) }
}

/** Shops of the same name differ by their place. */
function withPlace(finding: Finding, location: string | null): Finding {
  if ('unknown' in finding || location === null) return finding
  const found = finding.found.map((each) => (each.fact.includes(location) ? each : { ...each, fact: `${each.fact}, in ${location}` }))
  return { ...finding, found }
}

const needsPlace: Finding = {
  unknown: 'I don’t know where you are. Add your city to your profile, or ask with a place: “dispensaries in Denver”.',
  more: [{ title: 'Your profile', path: '/settings#profile' }],
}

async function aboutSomewhere(ctx: Ctx, actor: Actor, asked: Asked, where: Where | null): Promise<Finding> {
  if (!where) return needsPlace
  if (asked.isAboutEvents) return findEvents(ctx, actor, asked, { where })
  if (asked.aspect === 'payment') return { unknown: 'I don’t know which places have that.', more: [] }
  const isOfKind = asked.type !== null && asked.type !== 'dispensary'
  if (asked.isAboutProducts && !isOfKind) return findProducts(ctx, actor, asked, where, asked.words)
  if (asked.words.length > 0) {
    const text = asked.words.join(' ')
    if (asked.type === null) return findProducts(ctx, actor, asked, where, asked.words)
    // A list that ignores a part of the question would look like an answer to it.
    return { unknown: `I don’t know which places ${where.isInside ? 'in' : 'near'} ${where.label} match “${text}”.`, more: [] }
  }
  return findPlaces(ctx, actor, asked, where)
}

/** Words that may be a strain, an item, or a topic of the help. */
async function aboutWords(ctx: Ctx, actor: Actor, asked: Asked, where: Where | null, articles: Article[]): Promise<Answered> {
  const strain = findStrain(asked.words)
  const asStrain = strain && { lead: '', found: [strain], more: [], isPrivate: false }
  if (asStrain && /^what is /.test(asked.text)) return asStrain
  if (where && asked.words.length > 0 && asked.words.length <= 4) {
    const products = await findProducts(ctx, actor, asked, where, asked.words)
    if (!('unknown' in products) && products.found.length > 0) return products
  }
  if (asStrain) return asStrain
  if (articles.length > 0) return { articles }
  return {
    unknown: 'I don’t know that. I can look up places, opening hours, menus, prices and events here, and how this site works.',
    more: [{ title: 'Help center', path: '/help' }],
  }
}

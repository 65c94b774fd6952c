import type { Brand } from '#contracts/brand.ts'
import { communityGuidelines } from '#contracts/guideline-texts.ts'
import { type HelpText, helpCenter } from '#contracts/help-texts.ts'
import { businessResources } from '#contracts/resource-texts.ts'
import { foldText } from '#server/kernel/fold-text.ts'

/** A question and answer from the help pages, or a section without questions. */
export type Article = { title: string; text: string; path: string }

export type HelpIndex = { articles: readonly Article[]; find(words: readonly string[], limit: number): Article[] }

const fillers = new Set(
  `a an and any are as at be been but by can could did do does for from get give had has have how i if in into is it its know let like may me mine my no not of
on or our please see should show so some tell than that the their them then there these they this those to up us use want was we were what when where which
who why will with would you your am im dont much many about here site this thing things something somebody someone anybody need really just all also work works
change find there turn off
`.split(/\s+/),
)

export function subjectsOf(text: string): string[] {
  const words = foldText(text).match(/[\p{L}\p{N}']+/gu) ?? []
  return [...new Set(words.filter((word) => !fillers.has(word) && word.length > 1).map(stem))]
}

/** Sufficient for a few pages of plain English: "posted", "posting" and "posts" become "post". */
function stem(word: string): string {
  const plain = word.replace(/'s?$/, '')
  const known = synonyms.get(plain)
  if (known) return known
  const short = plain
    .replace(/(?:ies)$/, 'y')
    .replace(/(?:ings?|ed|es|s)$/, '')
    .replace(/([^aeiouls])\1$/, '$1')
  return synonyms.get(short) ?? (short.length >= 3 ? short.replace(/e$/, '') : plain)
}

/** People's words → the help pages' words. */
const synonyms = new Map(
  Object.entries({
    remove: 'delet',
    erase: 'delet',
    heart: 'favorit',
    staff: 'team',
    employee: 'team',
    employees: 'team',
    email: 'mail',
    emails: 'mail',
    mails: 'mail',
    alert: 'notif',
    alerts: 'notif',
    notification: 'notif',
    notifications: 'notif',
    notified: 'notif',
    notify: 'notif',
    price: 'cost',
    prices: 'cost',
    fee: 'cost',
    pay: 'cost',
    money: 'cost',
    upload: 'import',
    csv: 'spreadsheet',
    group: 'community',
    groups: 'community',
    communities: 'community',
    ranking: 'rank',
    ranked: 'rank',
    sorted: 'rank',
    cancel: 'end',
    stop: 'end',
    hide: 'see',
    shown: 'see',
    private: 'see',
    login: 'sign',
    export: 'copy',
    download: 'copy',
    pheno: 'hunt',
    pw: 'password',
    ban: 'block',
    flag: 'report',
    complain: 'report',
    hours: 'hour',
    verify: 'verif',
    verified: 'verif',
    verification: 'verif',
    analytics: 'analytic',
    statistics: 'analytic',
    stats: 'analytic',
  }),
)

const plain = (text: string) => text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replace(/\*\*([^*]+)\*\*/g, '$1')

function articlesOf({ path, title: page, sections }: HelpText): Article[] {
  return sections.flatMap(({ id, title, blocks }) => {
    const articles: Article[] = []
    for (const block of blocks) {
      if ('heading' in block) {
        articles.push({ title: block.heading, text: '', path: `${path}#${id}` })
        continue
      }
      const text = 'text' in block ? plain(block.text) : block.list.map((item) => `– ${plain(item)}`).join('\n')
      const last = articles.at(-1)
      if (last) last.text = last.text === '' ? text : `${last.text}\n${text}`
      else articles.push({ title: `${page}: ${title}`, text, path: `${path}#${id}` })
    }
    return articles
  })
}

/** A word in the heading adds its weight this many extra times. */
const headingWeight = 3
/** The penalty for words of a heading that aren't in the question, because such an article is probably about something else. */
const offWeight = 0.5
/** Other articles are shown only if they match nearly as well as the best. */
const minOfBest = 0.85

/** There are only a few dozen articles, so a linear scan is enough. */
export function createHelpIndex(brand: Pick<Brand, 'name' | 'slug'>): HelpIndex {
  const articles = [helpCenter(brand), businessResources(brand), communityGuidelines].flatMap(articlesOf)
  const indexed = articles.map((article) => ({
    article,
    heading: new Set(subjectsOf(article.title)),
    body: new Set(subjectsOf(article.text)),
  }))
  const weightOf = (word: string) => {
    const count = indexed.filter(({ heading, body }) => heading.has(word) || body.has(word)).length
    return count === 0 ? 0 : Math.log(1 + articles.length / count)
  }
  return {
    articles,
    find(words, limit) {
      if (words.length === 0) return []
      const weights = new Map(words.map((word) => [word, weightOf(word)]))
      const possible = words.reduce((sum, word) => sum + (weights.get(word) || Math.log(1 + articles.length)), 0)
      return (
        indexed
          .map(({ article, heading, body }) => {
            const covered = words.reduce((sum, word) => sum + (heading.has(word) || body.has(word) ? (weights.get(word) ?? 0) : 0), 0)
            const inHeading = words.reduce((sum, word) => sum + (heading.has(word) ? (weights.get(word) ?? 0) : 0), 0)
            const isOff = [...heading].reduce((sum, word) => sum + (weights.has(word) ? 0 : weightOf(word)), 0)
            const isEnough = inHeading > 0 || words.filter((word) => body.has(word)).length > 1
            return { article, share: isEnough ? covered / possible : 0, score: covered + headingWeight * inHeading - offWeight * isOff }
          })
          // Requires words with half of the query's weight; otherwise the article is about something else.
          .filter(({ share }) => share >= 0.5)
          .sort((a, b) => b.score - a.score)
          .filter(({ score }, _, [best]) => score >= minOfBest * (best?.score ?? 0))
          .slice(0, limit)
          .map(({ article }) => article)
      )
    },
  }
}

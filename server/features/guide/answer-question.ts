import type { ResponseOf } from '../../../contracts/endpoint.ts'
import type { askGuide, GuideLink } from '../../../contracts/guide.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { wordedByModel } from './ask-model.ts'
import { boundaryOf } from './boundaries.ts'
import { withoutContacts } from './check-wording.ts'
import { type Found, findRecords } from './find-records.ts'
import { type Article, type HelpIndex, subjectsOf } from './help-index.ts'
import { readAccount } from './progress.queries.ts'
import { readQuestion } from './question.ts'
import { refusalOf } from './refusals.ts'

type Answer = ResponseOf<typeof askGuide>

/** What `withoutContacts` leaves in their place. */
const contact = /\((?:address|number)\)/g

const mostArticles = 2
const mostLetters = 700

/** Answers of the product's own records, with links to them, or says where to turn instead. Keeps nothing of it. */
export async function answerQuestion(ctx: Context, help: HelpIndex, actor: Actor, question: string): Promise<Answer> {
  const refused = boundaryOf(question)
  if (refused) return { ...refusalOf(refused, question), refused, voice: 'built-in' }

  const asked = withoutContacts(question)
  const wanted = readQuestion(asked)
  const { location } = await readAccount(ctx.db, actor.id)
  const records = await findRecords(ctx, actor, wanted, location)
  const asksForRecords = records.length > 0 && (wanted.isAboutBusinesses || wanted.isAboutCommunities)
  const articles = help.find(subjectsOf(asked.replaceAll(contact, '')), asksForRecords ? 1 : mostArticles)

  const sources = [...records.map(({ title, path, fact }) => ({ title, path, text: fact })), ...articles]
  // What is near somebody says where they live: that stays here.
  const worded = wanted.isNearMe ? null : await wordedByModel(ctx, actor, asked, sources)
  if (worded) return { answer: worded.text, links: worded.used.map(linkTo), refused: null, voice: 'model' }
  return { ...ownWords(records, articles, asksForRecords, wanted.isNearMe && location === null), refused: null, voice: 'built-in' }
}

const linkTo = ({ title, path }: GuideLink): GuideLink => ({ title, path })

function ownWords(
  records: readonly Found[],
  articles: readonly Article[],
  asksForRecords: boolean,
  isWithoutHome: boolean,
): { answer: string; links: GuideLink[] } {
  if (isWithoutHome) {
    return {
      answer: 'I do not know where you are. Write your city into your profile, or ask with a place: “dispensaries in Denver”.',
      links: [{ title: 'Your profile', path: '/settings#profile' }],
    }
  }
  const [article] = articles
  if (records.length > 0 && (asksForRecords || !article)) {
    const said = records.map(({ title, fact }) => `${title}: ${fact}.`)
    return { answer: [records.length === 1 ? 'I found this:' : 'This is what I found:', ...said].join('\n'), links: records.map(linkTo) }
  }
  if (article) return { answer: shortened(article.text), links: [...articles, ...records].map(linkTo) }
  return {
    answer:
      'I found nothing about that here. Try other words, or ask for a place: “farms near Eugene, OR”. For anything about health, doses or law, and in an emergency, ask people who know: in the United States 911, or Poison Control at 1-800-222-1222.',
    links: [
      { title: 'Help center', path: '/help' },
      { title: 'Discover', path: '/discover' },
    ],
  }
}

/** Whole sentences of a text that is too long for a card. */
function shortened(text: string): string {
  if (text.length <= mostLetters) return text
  const cut = text.slice(0, mostLetters)
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('\n'))
  return end > 0 ? cut.slice(0, end + 1).trim() : `${cut}…`
}

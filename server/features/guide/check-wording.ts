import { findLinks, findPhoneNumbers } from '../../../compliance/contacts.ts'
import { fold } from '../../../compliance/fold.ts'
import { mayBeSaid } from './boundaries.ts'

/** What a language model is given to answer from; it is told the number, the title and the text. */
export type Source = { title: string; path: string; text: string }

export type Wording = { text: string; used: Source[] }

const mostLetters = 900

/**
 * Looks at what a language model answered, as at anything else that comes from outside: it may be wrong, or do what a name in a source
 * told it. Only plain sentences pass that cite the sources they were given, in whose words every number stands, with no address, phone
 * number or markup in them, and that touch nothing of what the guide leaves to others. Links are made from the citations alone.
 * Answers why not, in a word, where it does not pass.
 */
export function checkWording(answer: string, sources: readonly Source[], asked: string): Wording | { fault: string } {
  const text = answer.replace(/\s+/g, ' ').trim()
  if (text === '' || /^none\b/i.test(text)) return { fault: 'nothing said' }
  if (text.length > mostLetters) return { fault: 'too long' }
  if (/[<>{}`|\\]|\]\s*\(|\p{C}/u.test(text)) return { fault: 'markup' }
  const folded = fold(text).text
  if (/https?:|www\.|\w@\w|\w\.[a-z]{2,}/.test(folded) || findLinks(folded).length > 0) return { fault: 'an address' }
  const cited = [...text.matchAll(/\[([^\]]*)\]/g)].map(([, inside = '']) => inside)
  if (cited.length === 0) return { fault: 'no source' }
  const numbers = cited.flatMap((inside) => inside.split(/\s*,\s*/))
  if (!numbers.every((number) => /^\d{1,2}$/.test(number) && sources[Number(number) - 1])) return { fault: 'a source that is none' }
  const words = text
    .replace(/\s*\[[^\]]*\]/g, '')
    .replace(/\*+/g, '')
    .replace(/\s+([.,;:!?])/g, '$1')
    .trim()
  if (findPhoneNumbers(fold(words).text).length > 0) return { fault: 'a phone number' }
  const known = new Set(numbersIn([asked, ...sources.flatMap(({ title, text: body }) => [title, body])].join(' ')))
  if (numbersIn(words).some((number) => !known.has(number))) return { fault: 'a number of its own' }
  if (!mayBeSaid(words)) return { fault: 'left to others' }
  const used = [...new Set(numbers)].map((number) => sources[Number(number) - 1] as Source)
  return { text: words, used }
}

const numbersIn = (text: string): string[] => text.match(/\d+(?:[.,]\d+)*/g) ?? []

/** Of a question, before it leaves the server: no addresses and no phone numbers, whoever's they are. */
export const withoutContacts = (question: string): string =>
  question
    .replace(/\S+@\S+/g, '(address)')
    .replace(/(?:https?:\/\/|www\.)\S+/gi, '(address)')
    .replace(/\+?\d(?:[\s().-]{0,3}\d){6,}/g, '(number)')

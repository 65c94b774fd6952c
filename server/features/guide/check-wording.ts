import { findLinks, findPhoneNumbers } from '#compliance/contacts.ts'
import { fold } from '#compliance/fold.ts'
import { mayBeSaid } from './boundaries.ts'

/** A source for a language model, which receives its number, title and text. */
export type Source = { title: string; path: string; text: string }

export type Wording = { text: string; used: Source[] }

const maxLetters = 900

/**
 * Validates a language model's reply as untrusted input: it may be wrong, or follow instructions hidden in a source's name.
 * Accepts only plain sentences that cite the given sources, contain only numbers from them, have no address, phone number
 * or markup, and touch no refused topic. Links are built only from the citations. Returns a short reason on failure.
 */
export function checkWording(answer: string, sources: readonly Source[], asked: string): Wording | { fault: string } {
  const text = answer.replace(/\s+/g, ' ').trim()
  if (text === '' || /^none\b/i.test(text)) return { fault: 'no content' }
  if (text.length > maxLetters) return { fault: 'too long' }
  if (/[<>{}`|\\]|\]\s*\(|\p{C}/u.test(text)) return { fault: 'markup' }
  const folded = fold(text).text
  if (/https?:|www\.|\w@\w|\w\.[a-z]{2,}/.test(folded) || findLinks(folded).length > 0) return { fault: 'an address' }
  const cited = [...text.matchAll(/\[([^\]]*)\]/g)].map(([, inside = '']) => inside)
  if (cited.length === 0) return { fault: 'no source' }
  const numbers = cited.flatMap((inside) => inside.split(/\s*,\s*/))
  if (!numbers.every((number) => /^\d{1,2}$/.test(number) && sources[Number(number) - 1])) return { fault: 'an invalid source' }
  const words = text
    .replace(/\s*\[[^\]]*\]/g, '')
    .replace(/\*+/g, '')
    .replace(/\s+([.,;:!?])/g, '$1')
    .trim()
  if (findPhoneNumbers(fold(words).text).length > 0) return { fault: 'a phone number' }
  const known = new Set(numbersIn([asked, ...sources.flatMap(({ title, text: body }) => [title, body])].join(' ')))
  if (numbersIn(words).some((number) => !known.has(number))) return { fault: 'an invented number' }
  if (!mayBeSaid(words)) return { fault: 'out of scope' }
  const used = [...new Set(numbers)].map((number) => sources[Number(number) - 1] as Source)
  return { text: words, used }
}

const numbersIn = (text: string): string[] => text.match(/\d+(?:[.,]\d+)*/g) ?? []

/** Strips addresses and phone numbers from a question before it leaves the server. */
export const withoutContacts = (question: string): string =>
  question
    .replace(/\S+@\S+/g, '(address)')
    .replace(/(?:https?:\/\/|www\.)\S+/gi, '(address)')
    .replace(/\+?\d(?:[\s().-]{0,3}\d){6,}/g, '(number)')

import { type Folded, fold } from './fold.ts'
import { isKnownWord, knownWordsLike } from './lexicon.ts'

/**
 * Undoes common disguises: digits and signs for letters (s3lling), stars (canc*r), spaced letters (f r e e, c.u.r.e.s), split words
 * (tel e gram), repeated letters (freeee), pig Latin (eedway). Apart from folding, changes text only to listed words.
 */
export function unmask(source: string): Folded {
  return joinSplitWords(joinLetters(decodePigLatin(fillStars(replaceSigns(fold(source))))))
}

const signs: Record<string, string> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  $: 's',
  '€': 'e',
  '@': 'a',
  '!': 'i',
  '|': 'l',
  '+': 't',
}

function unmaskWord(masked: string): string | null {
  if (masked.length < 3 || masked.length > 24) return null
  // Amounts aren't disguised words: 10mg, 3g, $25.
  if (!/[a-z]/.test(masked) || /^\$?[1-9]\d*[a-z]{0,3}$/.test(masked)) return null
  for (const one of ['i', 'l']) {
    const letters = masked.replace(/[^a-z]/g, (sign) => (sign === '1' ? one : (signs[sign] ?? sign)))
    if (!/^[a-z]+$/.test(letters)) continue
    const known = knownForm(letters)
    if (known) return known
  }
  return null
}

/** The listed word left after removing letters repeated for effect. */
function knownForm(letters: string): string | null {
  if (isKnownWord(letters)) return letters
  if (!/(.)\1\1/.test(letters)) return null
  const twice = letters.replace(/(.)\1{2,}/g, '$1$1')
  if (isKnownWord(twice)) return twice
  const once = letters.replace(/(.)\1{2,}/g, '$1')
  return isKnownWord(once) ? once : null
}

type Change = { start: number; end: number; words: string }

/** Replaces ranges with words. New letters map to letters at about the same place in the range. */
function apply({ text, at }: Folded, changes: readonly Change[]): Folded {
  if (changes.length === 0) return { text, at }
  const parts: string[] = []
  const places: number[] = []
  let done = 0
  for (const { start, end, words } of changes) {
    parts.push(text.slice(done, start), words)
    for (let i = done; i < start; i++) places.push(at[i] as number)
    const length = end - start
    for (let i = 0; i + 1 < words.length; i++)
      places.push(at[start + Math.min(length - 1, Math.floor((i * length) / words.length))] as number)
    // Mapping the last letter to the last source letter makes ranges end correctly.
    places.push(at[end - 1] as number)
    done = end
  }
  parts.push(text.slice(done))
  for (let i = done; i < at.length; i++) places.push(at[i] as number)
  return { text: parts.join(''), at: places }
}

function replaceSigns(folded: Folded): Folded {
  const changes: Change[] = []
  for (const match of folded.text.matchAll(/[a-z0-9$€@!|+]+/g)) {
    const [masked] = match
    // The "!" in "free!" is punctuation, but the "|" in "sel|" is a letter.
    for (const candidate of new Set([withoutMarks(masked), masked])) {
      if (isKnownWord(candidate)) break
      const word = unmaskWord(candidate)
      if (word === null) continue
      changes.push({ start: match.index, end: match.index + candidate.length, words: word })
      break
    }
  }
  return apply(folded, changes)
}

/** Hand-written: a regex for trailing marks is quadratic on a long run of them. */
function withoutMarks(masked: string): string {
  let end = masked.length
  while (end > 0 && '!|+'.includes(masked[end - 1] as string)) end--
  return masked.slice(0, end)
}

const starred = /(?<![a-z*#%^&_])[a-z]+(?:[*#%^&_]{1,3}[a-z]+){1,3}(?![a-z*#%^&_])/g

/** "canc*r", "w**d": if at least half of the letters remain and a listed word fits. */
function fillStars(folded: Folded): Folded {
  const changes: Change[] = []
  for (const match of folded.text.matchAll(starred)) {
    const [masked] = match
    const letters = masked.replace(/[^a-z]/g, '').length
    if (masked.length < 4 || masked.length > maxWordLength || letters * 2 < masked.length) continue
    const word = knownWordsLike(masked).find((each) =>
      [...each].every((letter, i) => letter === masked[i] || !/[a-z]/.test(masked[i] as string)),
    )
    if (word) changes.push({ start: match.index, end: match.index + masked.length, words: word })
  }
  return apply(folded, changes)
}

/** Short words that aren't listed but are accepted in pig Latin: "orfay", "emay". */
const between = new Set('for me my at to up us you the and dm your our'.split(' '))

/** Decodes pig Latin: leading consonants moved to the end, followed by "ay". Null unless the result is listed or in `between`. */
function decodePigLatinWord(word: string): string | null {
  if (!/^[a-z]{2,18}ay$/.test(word) || isKnownWord(word)) return null
  const turned = word.slice(0, -2)
  const means = (each: string) => (isKnownWord(each) || between.has(each) ? each : null)
  for (let moved = 1; moved <= 3 && moved < turned.length; moved++) {
    const first = turned.slice(-moved)
    if (!/^(?:[^aeiou]+|qu)$/.test(first)) break
    const found = means(first + turned.slice(0, -moved))
    if (found) return found
  }
  return /^[aeiou].*[wy]$/.test(turned) ? means(turned.slice(0, -1)) : null
}

/** A single match may be a name; two are pig Latin. */
function decodePigLatin(folded: Folded): Folded {
  const changes = [...folded.text.matchAll(/[a-z]+/g)].flatMap((match): Change[] => {
    const words = match[0].endsWith('ay') ? decodePigLatinWord(match[0]) : null
    return words === null ? [] : [{ start: match.index, end: match.index + match[0].length, words }]
  })
  return changes.filter(({ words }) => isKnownWord(words)).length >= 2 ? apply(folded, changes) : folded
}

const spacedLetters = /(?<![a-z0-9$€@])[a-z0-9$€@](?:[ ._*~|,/-]{1,3}[a-z0-9$€@](?![a-z0-9$€@])){2,60}/g

function joinLetters(folded: Folded): Folded {
  const changes: Change[] = []
  for (const match of folded.text.matchAll(spacedLetters)) {
    const words = wordsOfLetters(match[0])
    if (words) changes.push({ start: match.index, end: match.index + match[0].length, words })
  }
  return apply(folded, changes)
}

/** Joins spaced-out letters into words: "f r e e  w e e d", "i s e l l". Null if letters are left over or all words are short. */
function wordsOfLetters(run: string): string | null {
  const letters = [...run.matchAll(/[a-z0-9$€@]/g)].map(([letter]) => (letter === '1' ? 'i' : (signs[letter] ?? letter))).join('')
  if (!/^[a-z]+$/.test(letters)) return null
  // For each position: the fewest words to the end, and the end of the first one.
  const counts = new Array<number>(letters.length + 1).fill(Number.POSITIVE_INFINITY)
  const ends = new Array<number>(letters.length + 1).fill(0)
  counts[letters.length] = 0
  for (let from = letters.length - 1; from >= 0; from--) {
    for (let to = Math.min(letters.length, from + maxWordLength); to > from; to--) {
      const count = 1 + (counts[to] as number)
      if (count >= (counts[from] as number) || !isSpelledWord(letters.slice(from, to))) continue
      counts[from] = count
      ends[from] = to
    }
  }
  if (counts[0] === Number.POSITIVE_INFINITY) return null
  const words: string[] = []
  for (let from = 0; from < letters.length; from = ends[from] as number) words.push(letters.slice(from, ends[from]))
  return words.some((word) => word.length >= 3) ? words.join(' ') : null
}

const shortWords = new Set(['i', 'a', 'oz', 'me', 'dm'])
const isSpelledWord = (word: string) => (word.length >= 3 ? isKnownWord(word) : shortWords.has(word))

/**
 * Joins a word split into two to four pieces, at least one of which has at most three letters. The word must have at least five letters, or
 * six if its last split is a space.
 */
function joinSplitWords(folded: Folded): Folded {
  const { text } = folded
  const pieces = [...text.matchAll(/[a-z]+/g)]
  const changes: Change[] = []
  for (let first = 0; first < pieces.length; first++) {
    const start = pieces[first]?.index as number
    let word = pieces[first]?.[0] as string
    let isShort = word.length <= 3
    let found = 0
    for (let next = first + 1; next <= first + 3; next++) {
      const before = pieces[next - 1] as RegExpExecArray
      const piece = pieces[next]
      const end = before.index + before[0].length
      if (!piece || piece.index - end !== 1 || !/[ ._*~-]/.test(text[end] as string)) break
      word += piece[0]
      isShort ||= piece[0].length <= 3
      if (word.length > maxWordLength) break
      // A dot within a word is deliberate, so shorter words count; a space may be accidental.
      if (!isShort || word.length < (text[end] === ' ' ? 6 : 5) || !isKnownWord(word)) continue
      if (found > 0) changes.pop()
      changes.push({ start, end: piece.index + piece[0].length, words: word })
      found = next - first
    }
    first += found
  }
  return apply(folded, changes)
}

const maxWordLength = 16

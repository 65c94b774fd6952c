import type { Mention, NewMention } from '#contracts/posts.ts'

/** Mentions that follow an edit move with the text, and those that the edit touches become plain text. */
export function shiftMentions(mentions: readonly NewMention[], before: string, after: string): NewMention[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const changedUntil = before.length - end
  const shifted = mentions.flatMap((mention) => {
    if (mention.start + mention.length <= start) return [mention]
    return mention.start >= changedUntil ? [{ ...mention, start: mention.start + after.length - before.length }] : []
  })
  return shifted.filter((mention) => !letter.test(after[mention.start + mention.length] ?? ''))
}

/** A letter or digit right after a name makes it a different name. */
const letter = /[\p{L}\p{N}]/u

/** The server trims the text, which moves mentions. */
export function mentionsWithoutSpaces(content: string, mentions: readonly NewMention[]): NewMention[] {
  const removed = content.length - content.trimStart().length
  return mentions.map(({ kind, id, start, length }) => ({ kind, id, start: start - removed, length }))
}

export const newMentions = (mentions: readonly Mention[]): NewMention[] =>
  mentions.map(({ kind, id, start, length }) => ({ kind, id, start, length }))

/** A name that someone is typing, from `@` to the caret. */
export type MentionQuery = { start: number; text: string }

/** An email address isn't a mention, and a name has at most three words. */
const typedName = /(?<=^|[\s(])@(?<name>[\p{L}\p{N}][\p{L}\p{N}.'’&-]*(?: [\p{L}\p{N}.'’&-]+){0,2} ?)$/u

export function mentionQueryAt(text: string, caret: number, mentions: readonly NewMention[]): MentionQuery | null {
  const found = typedName.exec(text.slice(0, caret))
  const name = found?.groups?.name
  if (!found || name === undefined) return null
  if (mentions.some(({ start }) => start === found.index)) return null
  return { start: found.index, text: name }
}

export type Part = { text: string; mention: Mention | null }

/** `whole` is the whole text, of which `text` may be only the beginning, folded by `foldText`. */
export function splitMentions(text: string, whole: string, mentions: readonly Mention[]): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const mention of mentions) {
    const { start, length } = mention
    const words = text.slice(start, start + length)
    // Folding cut this mention off.
    if (start < end || words !== whole.slice(start, start + length) || words.length < length) continue
    if (start > end) parts.push({ text: text.slice(end, start), mention: null })
    parts.push({ text: words, mention })
    end = start + length
  }
  if (end < text.length) parts.push({ text: text.slice(end), mention: null })
  return parts
}

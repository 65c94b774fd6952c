import type { GuideLink } from '#contracts/guide.endpoints.ts'

/** The rest of a line that starts with the record's title, as in "Green Leaf: dispensary in Denver, CO"; null for other lines. */
export const factOf = (line: string, title: string): string | null => (line.startsWith(`${title}: `) ? line.slice(title.length + 2) : null)

export type AnswerLines = { text: string; records: { link: GuideLink; fact: string }[]; links: GuideLink[] }

/** Splits an answer into text, records listed one per line with their links, and remaining links. */
export function answerLines({ answer, links }: { answer: string; links: readonly GuideLink[] }): AnswerLines {
  const left = [...links]
  const records: AnswerLines['records'] = []
  const words = answer.split('\n').filter((line) => {
    const at = left.findIndex(({ title }) => factOf(line, title) !== null)
    if (at < 0) return true
    const [link] = left.splice(at, 1)
    if (link) records.push({ link, fact: factOf(line, link.title) ?? '' })
    return false
  })
  return { text: words.join('\n'), records, links: left }
}

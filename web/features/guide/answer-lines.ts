import type { GuideLink } from '../../../contracts/guide.ts'

/** What a line says of the record that it names first: "Green Leaf: dispensary in Denver, CO"; null where it names another. */
export const factOf = (line: string, title: string): string | null => (line.startsWith(`${title}: `) ? line.slice(title.length + 2) : null)

export type AnswerLines = { text: string; records: { link: GuideLink; fact: string }[]; links: GuideLink[] }

/** An answer as it is shown: its words, the records that it lists one to a line with their links, and the links that are left. */
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

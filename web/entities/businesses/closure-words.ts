import type { Closure } from '#contracts/businesses.ts'
import { dateFormat } from '#web/lib/format.ts'

export const closureTitles: Record<Closure['kind'], string> = { temporary: 'Temporarily closed', permanent: 'Permanently closed' }

const sources: Record<Closure['by'], (day: string) => string> = {
  owner: (day) => `The owner closed it on ${day}.`,
  members: (day) => `Reported closed on ${day}, by two members.`,
  moderators: (day) => `Our moderators confirmed the closure on ${day}.`,
}

const dayFormat = (timeZone: string) => dateFormat({ timeZone, year: 'numeric', month: 'long', day: 'numeric' })

/** Who reported the closure, since when, and when the business plans to reopen. */
export function closureSentence({ since, by, reopensOn }: Closure, timeZone: string | null): string {
  const said = sources[by](dayFormat(timeZone ?? 'UTC').format(new Date(since)))
  return reopensOn ? `${said} It plans to reopen on ${dayFormat('UTC').format(new Date(`${reopensOn}T00:00:00Z`))}.` : said
}

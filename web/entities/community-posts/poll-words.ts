import type { Poll } from '#contracts/post-in-community.ts'

/**
 * Whole percentages that add up to 100, or to 0 without votes. Uses the largest remainder method; ties go to the earlier option.
 */
export function sharesOf(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return counts.map(() => 0)
  const exact = counts.map((count) => (count * 100) / total)
  const shares = exact.map(Math.floor)
  const left = 100 - shares.reduce((sum, share) => sum + share, 0)
  const losers = exact.map((value, at) => ({ at, lost: value - Math.floor(value) })).sort((a, b) => b.lost - a.lost || a.at - b.at)
  for (const { at } of losers.slice(0, left)) shares[at] = (shares[at] ?? 0) + 1
  return shares
}

/** The poll after the viewer's vote moves to `position`; null withdraws it. Hidden counts stay hidden. */
export function withVote(poll: Poll, position: number | null): Poll {
  const before = poll.myVote
  if (before === position) return poll
  const showsResults = poll.options.every(({ votesCount }) => votesCount !== null)
  const moved = (count: number, at: number) => count + Number(at === position) - Number(at === before)
  return {
    ...poll,
    myVote: position,
    votesCount: poll.votesCount + Number(position !== null) - Number(before !== null),
    options: poll.options.map((option) => ({
      ...option,
      // Withdrawing a vote hides the counts again.
      votesCount: showsResults && position !== null ? moved(option.votesCount ?? 0, option.position) : null,
    })),
  }
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** "Closes in 3 days". */
export function closingWords({ closesAt, isClosed }: Pick<Poll, 'closesAt' | 'isClosed'>, now: Date): string {
  const left = closesAt === null ? null : Date.parse(closesAt) - now.getTime()
  if (isClosed || (left !== null && left <= 0)) return 'Closed'
  if (left === null) return 'Open'
  const inUnits = (size: number, unit: string) => {
    const count = Math.round(left / size)
    return `Closes in ${count} ${unit}${count === 1 ? '' : 's'}`
  }
  if (left >= 1.5 * day) return inUnits(day, 'day')
  if (left >= 1.5 * hour) return inUnits(hour, 'hour')
  return left >= 1.5 * minute ? inUnits(minute, 'minute') : 'Closes within a minute'
}

import { today } from '../hunts/index.ts'

/** What is wrong with the day of a log. It may lie back, and be the one that has begun furthest east. */
export function dayIssue(loggedOn: string, now: Date): string | null {
  const lastDay = today(new Date(now.getTime() + 14 * 3_600_000))
  return loggedOn > lastDay ? 'This day is still to come. A log says what was seen: choose today or an earlier day.' : null
}

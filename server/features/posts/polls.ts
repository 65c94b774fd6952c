import { sql } from 'kysely'
import type { Poll } from '../../../contracts/post-in-community.ts'
import type { Db } from '../../db/connect.ts'

/** The polls of these posts, by the post's id, as this person may see them. */
export async function loadPolls(db: Db, viewerId: string, postIds: readonly string[], now: Date): Promise<Map<string, Poll>> {
  if (postIds.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select polls.post_id, polls.closes_at, polls.votes_count,
      (select poll_votes.position from poll_votes where poll_votes.post_id = polls.post_id and poll_votes.user_id = ${viewerId}::uuid) as my_vote,
      array(select label from poll_options where poll_options.post_id = polls.post_id order by position) as labels,
      array(select votes_count from poll_options where poll_options.post_id = polls.post_id order by position) as counts
    from polls where polls.post_id = any(${postIds}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.post_id, toPoll(row, now)]))
}

type Row = {
  post_id: string
  closes_at: Date | null
  votes_count: number
  my_vote: number | null
  labels: string[]
  counts: number[]
}

/**
 * How others voted is shown to whoever has voted, and to everybody once it is closed: nobody is led by it. Whoever asked gets no more
 * than others, or they would look and then vote.
 */
function toPoll(row: Omit<Row, 'post_id'>, now: Date): Poll {
  const isClosed = isPollClosed(row.closes_at, now)
  const isOpened = isClosed || row.my_vote !== null
  return {
    options: row.labels.map((label, position) => ({ position, label, votesCount: isOpened ? (row.counts[position] ?? 0) : null })),
    votesCount: row.votes_count,
    closesAt: row.closes_at?.toISOString() ?? null,
    isClosed,
    myVote: row.my_vote,
  }
}

export const isPollClosed = (closesAt: Date | null, now: Date): boolean => closesAt !== null && closesAt <= now

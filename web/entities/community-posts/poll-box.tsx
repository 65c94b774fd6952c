import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { listCommunityPosts, unvotePoll, votePoll } from '#contracts/calls/community-posts.ts'
import { getPost } from '#contracts/calls/posts.ts'
import type { Poll, Post } from '#contracts/posts.ts'
import { dayMs, hourMs, minuteMs } from '#contracts/time.ts'
import { changePost } from '#web/entities/posts/posts.api.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call, refreshCalls } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { useNow } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { toast } from '#web/ui/toast-store.ts'

type PollBoxProps = { post: Pick<Post, 'id' | 'title'>; poll: Poll; mayVote: boolean }

/** Shows results once the viewer has voted or the poll has ended. */
export function PollBox({ post, poll, mayVote }: PollBoxProps) {
  const client = useQueryClient()
  const { vote, isPending } = useVote(post)
  const [isChoosing, setChoosing] = useState(false)
  const now = new Date(useNow())
  const isClosed = isPollClosed(poll, now)
  const mayHaveResults = isClosed && !poll.isClosed
  useEffect(() => {
    if (mayHaveResults) void refreshPolls(client)
  }, [client, mayHaveResults])
  const showsResults = poll.options.every(({ votesCount }) => votesCount !== null)
  const asks = mayVote && !isClosed && (poll.myVote === null || isChoosing)
  return (
    <div className="mt-4 grid gap-3">
      {asks ? (
        <Ballot
          post={post}
          poll={poll}
          isPending={isPending}
          onVote={(position) => {
            setChoosing(false)
            vote(poll, position)
          }}
          onCancel={isChoosing ? () => setChoosing(false) : null}
        />
      ) : (
        <Results poll={poll} showsResults={showsResults} />
      )}
      <p role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm tabular-nums">
        <span>{counted(poll.votesCount, 'vote')}</span>
        <span aria-hidden="true">·</span>
        <span>{closingWords(poll, now)}</span>
        {!showsResults && !isClosed && (
          <span className="max-sm:basis-full">{mayVote ? 'Vote to see the results' : 'Results appear when the poll closes'}</span>
        )}
        {poll.myVote !== null && !isClosed && !isChoosing && (
          <span className="ml-auto flex gap-3">
            {mayVote && (
              <button type="button" className={cx(textLink, 'touch-target')} onClick={() => setChoosing(true)}>
                Change vote
              </button>
            )}
            <button type="button" className={cx(textLink, 'touch-target')} onClick={() => vote(poll, null)}>
              Remove vote
            </button>
          </span>
        )}
      </p>
    </div>
  )
}

type BallotProps = {
  post: Pick<Post, 'title'>
  poll: Poll
  isPending: boolean
  onVote: (position: number) => void
  onCancel: (() => void) | null
}

/** Native radio buttons: arrow keys move the selection, and nothing is sent until Vote. */
function Ballot({ post, poll, isPending, onVote, onCancel }: BallotProps) {
  const name = useId()
  const [chosen, setChosen] = useState(poll.myVote)
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen !== null) onVote(chosen)
      }}
    >
      <fieldset className="grid gap-2">
        <legend className="sr-only">{post.title}</legend>
        {poll.options.map(({ position, label }) => (
          <label
            key={position}
            className="flex min-h-11 cursor-pointer items-center gap-3 rounded-input border border-edge bg-surface px-3.5 py-2 transition-colors hover:border-ink/60 has-checked:border-leaf has-checked:bg-leaf-soft has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name={name}
              value={position}
              checked={chosen === position}
              onChange={() => setChosen(position)}
              className="size-5 shrink-0 appearance-none rounded-full border border-edge bg-surface transition-colors checked:border-6 checked:border-leaf focus-visible:outline-none forced-colors:appearance-auto"
            />
            <span className="wrap-anywhere">{label}</span>
          </label>
        ))}
      </fieldset>
      <div className="flex gap-2">
        <Button type="submit" size="sm" disabled={chosen === null} pending={isPending} pendingText="Voting...">
          Vote
        </Button>
        {onCancel && (
          <Button variant="quiet" size="sm" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}

function Results({ poll, showsResults }: { poll: Poll; showsResults: boolean }) {
  const shares = sharesOf(poll.options.map(({ votesCount }) => votesCount ?? 0))
  const maxVotes = Math.max(...poll.options.map(({ votesCount }) => votesCount ?? 0))
  return (
    <ul aria-label="Results" className="grid gap-2">
      {poll.options.map(({ position, label, votesCount }) => {
        const share = shares[position] ?? 0
        const isMine = poll.myVote === position
        const leads = showsResults && votesCount === maxVotes && maxVotes > 0
        return (
          <li key={position} className="relative overflow-hidden rounded-input border border-line px-3.5 py-2">
            {showsResults && (
              <span
                aria-hidden="true"
                style={{ width: `${share}%` }}
                className={cx(
                  'absolute inset-y-0 left-0 transition-[width] duration-200 motion-reduce:transition-none',
                  leads ? 'bg-leaf-soft' : 'bg-sunk',
                )}
              />
            )}
            <span className="relative flex min-h-6 flex-wrap items-center gap-x-2 gap-y-0.5">
              <span className={cx('min-w-0 wrap-anywhere', leads && 'font-medium')}>{label}</span>
              {isMine && (
                <span className="inline-flex shrink-0 items-center gap-1 text-leaf text-xs">
                  <Check aria-hidden="true" className="size-3.5" strokeWidth={2.5} />
                  Your vote
                </span>
              )}
              {showsResults && votesCount !== null && (
                <span className="ml-auto shrink-0 pl-2 text-sm tabular-nums">
                  <span className="font-medium">{share}%</span> <span className="text-muted">{counted(votesCount, 'vote')}</span>
                </span>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

const refreshPolls = (client: QueryClient) => refreshCalls(client, [getPost, listCommunityPosts])

function useVote({ id }: Pick<Post, 'id'>) {
  const client = useQueryClient()
  const mutationKey = ['vote', id]
  const show = (change: (poll: Poll) => Poll) =>
    changePost(client, id, ({ community }) => (community?.poll ? { community: { ...community, poll: change(community.poll) } } : {}))
  const mutation = useMutation({
    mutationKey,
    // Serialized, so the last choice wins.
    scope: { id: mutationKey.join(':') },
    mutationFn: ({ to }: { to: number | null; from: Poll }) =>
      to === null ? call(unvotePoll, { params: { id } }) : call(votePoll, { params: { id }, body: { position: to } }),
    onMutate: ({ to }) => show((poll) => withVote(poll, to)),
    onError: (error, { from }) => {
      toast({ title: 'Error', description: `Your vote wasn’t counted. ${messageOf(error)}`, variant: 'destructive' })
      if (client.isMutating({ mutationKey }) === 1) show(() => from)
      // The poll has closed, so everyone may see the results.
      if (error instanceof ApiError && error.status === 409) void refreshPolls(client)
    },
    onSuccess: ({ poll }) => {
      if (poll !== null && client.isMutating({ mutationKey }) === 1) show(() => poll)
    },
  })
  return { vote: (from: Poll, to: number | null) => mutation.mutate({ from, to }), isPending: mutation.isPending }
}

/** Rounds to whole percentages that add up to 100, by the largest remainder method. Ties go to the earlier option. */
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

/** Moves the viewer's vote to `position`; null withdraws it. Hidden counts remain hidden. */
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

type Deadline = Pick<Poll, 'closesAt' | 'isClosed'>

/** A poll may close while its page is open. */
const isPollClosed = ({ closesAt, isClosed }: Deadline, now: Date): boolean =>
  isClosed || (closesAt !== null && Date.parse(closesAt) <= now.getTime())

/** "Closes in 3 days". */
export function closingWords(poll: Deadline, now: Date): string {
  if (isPollClosed(poll, now)) return 'Closed'
  if (poll.closesAt === null) return 'Open'
  const left = Date.parse(poll.closesAt) - now.getTime()
  const inUnits = (size: number, unit: string) => {
    const count = Math.round(left / size)
    return `Closes in ${count} ${unit}${count === 1 ? '' : 's'}`
  }
  if (left >= 1.5 * dayMs) return inUnits(dayMs, 'day')
  if (left >= 1.5 * hourMs) return inUnits(hourMs, 'hour')
  return left > minuteMs ? inUnits(minuteMs, 'minute') : 'Closes within a minute'
}

import { useQuery } from '@tanstack/react-query'
import { Minus, Signpost, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '../../ui/skeleton.tsx'
import { factOf } from './answer-lines.ts'
import { progressOptions, useAsk, welcomeOptions } from './guide.api.ts'
import { AnswerView, AskForm } from './guide-ask.tsx'
import { GuideRecord } from './guide-links.tsx'
import { GuideSteps } from './guide-steps.tsx'
import { takeFocusWish } from './guide-store.ts'
import { ModelSwitch } from './model-switch.tsx'

type GuideCardProps = {
  onSmall: () => void
  onFollow: () => void
  onPutAway: () => void
}

/** The guide, open: a card at the corner, above the bottom bar of a phone and below every dialog. */
export function GuideCard({ onSmall, onFollow, onPutAway }: GuideCardProps) {
  const user = useCurrentUser()
  const titleId = useId()
  const card = useRef<HTMLElement>(null)
  const asking = useAsk()
  const { data: progress, isPending, refetch } = useQuery(progressOptions)
  useEffect(() => {
    if (takeFocusWish()) card.current?.focus()
  }, [])
  if (!user) return null

  const closeByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) onSmall()
  }
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-labelledby={titleId}
      onKeyDown={closeByKey}
      className="fixed right-3 bottom-[calc(4.25rem+env(safe-area-inset-bottom))] left-3 z-30 flex max-h-[min(38rem,calc(100dvh-10rem))] animate-appear flex-col overflow-hidden rounded-card border border-line bg-raised shadow-lift outline-none motion-reduce:animate-none sm:left-auto sm:w-92 md:right-6 md:bottom-6 md:max-h-[min(40rem,calc(100dvh-7rem))] print:hidden"
    >
      <header className="grid gap-2.5 border-line border-b px-4 pt-3 pb-3.5">
        <div className="flex items-center gap-2.5">
          <Signpost aria-hidden="true" className="size-5 text-leaf" />
          <h2 id={titleId} className="flex-1 font-semibold font-text text-base tracking-normal">
            Guide
          </h2>
          <IconButton label="Make the guide small" size="sm" onClick={onSmall}>
            <Minus aria-hidden="true" />
          </IconButton>
          <IconButton label="Put the guide away" size="sm" onClick={onPutAway}>
            <X aria-hidden="true" />
          </IconButton>
        </div>
        {progress && (
          <div className="flex items-center gap-3">
            <Progress label="Steps done" value={progress.completed} max={progress.total} />
            <p className="shrink-0 text-muted text-sm tabular-nums">
              {progress.completed}/{progress.total}
            </p>
          </div>
        )}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-4">
        {asking.isIdle ? (
          <div className="grid gap-4">
            <Welcome user={user} />
            {progress && <GuideSteps user={user} progress={progress} onFollow={onFollow} />}
            {isPending && (
              <SkeletonGroup label="Loading the checklist..." className="grid gap-3">
                {[1, 2, 3, 4, 5].map((row) => (
                  <Skeleton key={row} className="h-7" />
                ))}
              </SkeletonGroup>
            )}
            {!progress && !isPending && (
              <div role="alert" className="grid justify-items-start gap-3 text-[0.9375rem]">
                <p>The checklist could not be loaded.</p>
                <Button variant="secondary" size="sm" onClick={() => void refetch()}>
                  Retry
                </Button>
              </div>
            )}
            <Recommendations user={user} onFollow={onFollow} />
            {progress && <ModelSwitch progress={progress} className="border-line border-t pt-3 text-sm" />}
          </div>
        ) : (
          <AnswerView asking={asking} onFollow={onFollow} />
        )}
      </div>
      <AskForm asking={asking} />
    </section>
  )
}

/** Asked for as soon as the card is open. Where it does not come, the loading just stops: the checklist does without. */
function Welcome({ user }: { user: CurrentUser }) {
  const { data, isPending } = useQuery(welcomeOptions(user))
  return (
    <div role="status">
      {isPending && (
        <>
          <span className="sr-only">Loading...</span>
          <span aria-hidden="true">
            <SkeletonText lines={2} />
          </span>
        </>
      )}
      {data && <p className="text-[0.9375rem]">{data.welcomeMessage}</p>}
    </div>
  )
}

function Recommendations({ user, onFollow }: { user: CurrentUser; onFollow: () => void }) {
  const { data } = useQuery(welcomeOptions(user))
  if (!data || data.recommendations.length === 0) return null
  return (
    <section aria-labelledby="guide-for-you" className="border-line border-t pt-4">
      <h3 id="guide-for-you" className="font-semibold font-text text-sm tracking-normal">
        For you
      </h3>
      <ul className="mt-1.5 grid">
        {data.recommendations.map((text, i) => {
          const link = data.links[i]
          if (!link) return null
          return (
            <li key={link.path}>
              <GuideRecord to={link} fact={factOf(text, link.title) ?? text} onFollow={onFollow} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

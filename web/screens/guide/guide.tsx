import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Minus, SendHorizontal, Signpost, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { GuideLink, GuideProgress } from '#contracts/guide.endpoints.ts'
import { maxQuestionLength } from '#contracts/limits.ts'
import { progressOptions, useAskGuide, useSaveProgress, welcomeOptions } from '#web/entities/guide/guide.api.ts'
import { consumeFocusRequest, setGuideShape, useGuideShape } from '#web/entities/guide/guide-store.ts'
import { ModelSwitch } from '#web/entities/guide/model-switch.tsx'
import { getTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Input } from '#web/ui/input.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { GuideLinks, GuideRecord, GuideSteps } from './guide-steps.tsx'

export default function Guide({ isAsked }: { isAsked: boolean }) {
  const { data: progress } = useQuery(progressOptions)
  const saveProgress = useSaveProgress()
  const shape = useGuideShape()
  if (!isAsked && (!progress || progress.isDismissed)) return null

  // Opens only on request, because the guide covers content.
  if (shape !== 'card') {
    return <GuideButton progress={progress} onOpen={() => setGuideShape('card')} />
  }
  const putAway = () => {
    saveProgress({ isDismissed: true })
    setGuideShape(null)
    const undo = () => {
      saveProgress({ isDismissed: false })
      setGuideShape('card')
    }
    toast({ title: 'Guide closed', description: 'You can find it in your account menu.', action: { label: 'Undo', onClick: undo } })
  }
  /** The new screen takes focus, so minimize the guide. */
  const follow = () => setGuideShape('button', { elsewhere: true })
  return <GuideCard onSmall={() => setGuideShape('button')} onFollow={follow} onPutAway={putAway} />
}

const radius = 26
const length = 2 * Math.PI * radius

type GuideButtonProps = { progress: GuideProgress | undefined; onOpen: () => void }

function GuideButton({ progress, onOpen }: GuideButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (consumeFocusRequest()) button.current?.focus()
  }, [])
  const share = progress && progress.total > 0 ? progress.completed / progress.total : 0
  return (
    <button
      ref={button}
      data-guide-button=""
      type="button"
      onClick={onOpen}
      aria-label={progress ? `Guide, ${progress.completed} of ${progress.total} steps done` : 'Guide'}
      className="fixed right-4 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-30 grid size-14 animate-appear place-items-center rounded-full border border-line bg-raised text-leaf shadow-lift transition-colors hover:bg-leaf-soft motion-reduce:animate-none md:right-6 md:bottom-6 print:hidden"
    >
      <svg viewBox="0 0 56 56" aria-hidden="true" className="absolute inset-[-1px] -rotate-90">
        <circle
          cx="28"
          cy="28"
          r={radius}
          fill="none"
          stroke="currentColor"
          strokeWidth="3"
          strokeDasharray={`${share * length} ${length}`}
        />
      </svg>
      <Signpost aria-hidden="true" className="size-6" />
    </button>
  )
}

type GuideCardProps = {
  onSmall: () => void
  onFollow: () => void
  onPutAway: () => void
}

function GuideCard({ onSmall, onFollow, onPutAway }: GuideCardProps) {
  const user = useCurrentUser()
  const titleId = useId()
  const card = useRef<HTMLElement>(null)
  const asking = useAskGuide()
  const { data: progress, isPending, refetch } = useQuery(progressOptions)
  useEffect(() => {
    if (consumeFocusRequest()) card.current?.focus()
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
          <IconButton label="Minimize the guide" size="sm" onClick={onSmall}>
            <Minus aria-hidden="true" />
          </IconButton>
          <IconButton label="Close the guide" size="sm" onClick={onPutAway}>
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
                <p>The checklist couldn’t be loaded.</p>
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

/** Optional, because the checklist works without it. */
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
            <li key={`${link.path} ${text}`}>
              <GuideRecord to={link} fact={factOf(text, link.title) ?? text} onFollow={onFollow} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type Asking = ReturnType<typeof useAskGuide>

const draftKey = 'guide-question'

function AskForm({ asking }: { asking: Asking }) {
  const [question, setQuestion] = useState(() => String(getTabItem(draftKey) ?? ''))
  const change = (text: string) => {
    setQuestion(text)
    setTabItem(draftKey, text)
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    const text = question.trim()
    if (text === '' || asking.isPending) return
    asking.mutate(text, { onSuccess: () => change('') })
  }
  return (
    <form onSubmit={send} className="border-line border-t p-3">
      <Input
        aria-label="Ask the guide"
        placeholder="Find businesses or get help"
        value={question}
        maxLength={maxQuestionLength}
        autoComplete="off"
        enterKeyHint="send"
        onChange={(event) => change(event.target.value)}
        end={
          <IconButton type="submit" label="Ask" size="sm" disabled={question.trim() === ''}>
            <SendHorizontal aria-hidden="true" />
          </IconButton>
        }
      />
    </form>
  )
}

function AnswerView({ asking, onFollow }: { asking: Asking; onFollow: () => void }) {
  const { data, error, variables, isPending, reset } = asking
  const shown = data && answerLines(data)
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (data) top.current?.scrollIntoView({ block: 'nearest' })
  }, [data])
  return (
    <div ref={top} className="grid gap-4">
      <Button variant="quiet" size="sm" className="-ml-2 justify-self-start" onClick={reset}>
        <ArrowLeft aria-hidden="true" />
        Checklist
      </Button>
      <p className="max-w-[85%] justify-self-end rounded-card bg-leaf-soft px-3 py-2 text-[0.9375rem] wrap-anywhere">{variables}</p>
      <div role="status" aria-busy={isPending} className="grid gap-3">
        {isPending && (
          <>
            <span className="sr-only">Looking it up...</span>
            <span aria-hidden="true">
              <SkeletonText lines={3} />
            </span>
          </>
        )}
        {error && <p className="text-[0.9375rem] text-clay">{messageOf(error, 'No answer. Try again.')}</p>}
        {data && shown && (
          <>
            <p className="whitespace-pre-line text-[0.9375rem] wrap-anywhere">{shown.text}</p>
            {shown.records.length > 0 && (
              <ul className="grid">
                {shown.records.map(({ link, fact }) => (
                  <li key={link.path}>
                    <GuideRecord to={link} fact={fact} onFollow={onFollow} />
                  </li>
                ))}
              </ul>
            )}
            <GuideLinks links={shown.links} onFollow={onFollow} />
            {data.voice === 'model' && (
              <p className="text-muted text-xs">
                Written by a language model from the pages above. It can be wrong. Check the pages for details.
              </p>
            )}
          </>
        )}
      </div>
      {error && (
        <Button variant="secondary" size="sm" className="justify-self-start" onClick={() => variables && asking.mutate(variables)}>
          Retry
        </Button>
      )}
    </div>
  )
}

/** Returns the rest of a line that starts with the record's title, as in "Green Leaf: dispensary in Denver, CO". Null for other lines. */
const factOf = (line: string, title: string): string | null => (line.startsWith(`${title}: `) ? line.slice(title.length + 2) : null)

type AnswerLines = { text: string; records: { link: GuideLink; fact: string }[]; links: GuideLink[] }

/** Splits an answer into text, records (one per line, with their links) and the remaining links. */
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

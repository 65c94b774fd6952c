import { useQuery } from '@tanstack/react-query'
import { defaultParseSearch, Link } from '@tanstack/react-router'
import { Check, ExternalLink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { GuideLink as GuideLinkData, GuideProgress, GuideStep } from '#contracts/guide.endpoints.ts'
import { isVisitorPage } from '#contracts/visitor-pages.ts'
import { guidanceOptions, markedOf, nextStep, useSaveProgress } from '#web/entities/guide/guide.api.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { cx } from '#web/ui/cx.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'

type GuideStepsProps = { user: CurrentUser; progress: GuideProgress; onFollow: () => void }

export function GuideSteps({ user, progress, onFollow }: GuideStepsProps) {
  const saveProgress = useSaveProgress()
  const { steps, current } = progress
  return (
    <ol aria-label="Checklist" className="grid">
      {steps.map((step) => {
        const isOpen = step.id === current
        return (
          <li key={step.id} className={cx('rounded-input', isOpen && 'bg-sunk')}>
            <button
              type="button"
              aria-expanded={isOpen}
              aria-label={`${step.title}, ${step.isDone ? 'done' : 'not done'}`}
              onClick={() => saveProgress({ current: step.id })}
              className="flex min-h-10 w-full items-center gap-3 rounded-input px-2.5 py-1.5 text-left hover:bg-sunk pointer-coarse:min-h-11"
            >
              <StepMark isDone={step.isDone} />
              <span
                className={cx('min-w-0 flex-1 text-[0.9375rem]', isOpen ? 'font-semibold' : step.isDone ? 'text-muted' : 'font-medium')}
              >
                {step.title}
              </span>
            </button>
            {isOpen && <OpenStep user={user} step={step} progress={progress} onFollow={onFollow} />}
          </li>
        )
      })}
    </ol>
  )
}

const StepMark = ({ isDone }: { isDone: boolean }) => (
  <span
    aria-hidden="true"
    className={cx(
      'grid size-5 shrink-0 place-items-center rounded-full border [&_svg]:size-3.5',
      isDone ? 'border-leaf bg-leaf text-on-leaf' : 'border-edge',
    )}
  >
    {isDone && <Check strokeWidth={3} />}
  </span>
)

function OpenStep({ user, step, progress, onFollow }: GuideStepsProps & { step: GuideStep }) {
  const saveProgress = useSaveProgress()
  const [isExpanded, setExpanded] = useState(false)
  const marked = markedOf(progress)
  const next = nextStep(progress.steps, step.id)
  const start = () => {
    if (!step.isDone) saveProgress({ marked: [...marked, step.id] })
    onFollow()
  }
  return (
    <div className="grid gap-3 pr-3 pb-3 pl-10.5 max-[22.5rem]:pl-3">
      <p className="text-muted text-sm">
        {step.text}{' '}
        {!isExpanded && (
          <button type="button" className={textLink} onClick={() => setExpanded(true)}>
            How it works
          </button>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <GuideLink to={step} onFollow={start} label={`Get Started: ${step.title}`} className={buttonClass('primary', 'sm')}>
          Get Started
        </GuideLink>
        {next && (
          <Button variant="secondary" size="sm" onClick={() => saveProgress({ current: next.id })}>
            Next Step
          </Button>
        )}
        {step.doneBy === 'mark' && (
          <Button variant="quiet" size="sm" onClick={() => saveProgress({ marked: marked.filter((id) => id !== step.id) })}>
            Not done yet
          </Button>
        )}
      </div>
      {isExpanded && <Guidance user={user} step={step} onFollow={onFollow} />}
    </div>
  )
}

function Guidance({ user, step, onFollow }: { user: CurrentUser; step: GuideStep; onFollow: () => void }) {
  const { data, isPending } = useQuery(guidanceOptions(user, step))
  if (isPending) {
    return (
      <SkeletonGroup label="Loading...">
        <SkeletonText lines={3} />
      </SkeletonGroup>
    )
  }
  if (!data) return null
  return (
    <div role="status" className="grid gap-2 border-line border-t pt-3 text-sm">
      <p className="whitespace-pre-line">{data.featureGuidance}</p>
      <GuideLinks links={data.guidanceLinks} onFollow={onFollow} />
    </div>
  )
}

type GuideLinkProps = { to: GuideLinkData; label?: string; className?: string; onFollow?: (() => void) | undefined; children?: ReactNode }

/** The server chooses the target: an address on this site with search and hash, an authority's website, or a phone number. */
function GuideLink({ to: { title, path }, label, className = textLink, onFollow, children = title }: GuideLinkProps) {
  if (path.startsWith('tel:') || isVisitorPage(path)) {
    return (
      <a href={path} onClick={onFollow} className={className}>
        {children}
      </a>
    )
  }
  if (!path.startsWith('/')) {
    return (
      <a href={path} target="_blank" rel="noreferrer" className={className}>
        {children}
        <ExternalLink aria-label="(opens in a new tab)" className="ml-1 inline size-3.5" />
      </a>
    )
  }
  const { pathname, search, hash } = targetOf(path)
  return (
    <Link
      to={pathname as never}
      search={search as never}
      {...(hash ? { hash } : {})}
      {...(onFollow ? { onClick: onFollow } : {})}
      {...(label ? { 'aria-label': label } : {})}
      className={className}
    >
      {children}
    </Link>
  )
}

/** For a path on this site. Parses the search like the router: `open=true` is a boolean. */
export function targetOf(path: string): { pathname: string; search: Record<string, unknown>; hash: string } {
  const { pathname, search, hash } = new URL(path, 'https://site.invalid')
  return { pathname, search: defaultParseSearch(search), hash: hash.slice(1) }
}

type GuideRecordProps = { to: GuideLinkData; fact: string; onFollow: () => void }

export const GuideRecord = ({ to, fact, onFollow }: GuideRecordProps) => (
  <GuideLink to={to} onFollow={onFollow} className="-mx-2 block rounded-input px-2 py-1.5 transition-colors hover:bg-sunk">
    <span className="block font-medium text-[0.9375rem] wrap-anywhere">{to.title}</span>
    <span className="block text-muted text-sm first-letter:uppercase">{fact}</span>
  </GuideLink>
)

export function GuideLinks({ links, onFollow }: { links: readonly GuideLinkData[]; onFollow?: () => void }) {
  if (links.length === 0) return null
  return (
    <ul className="grid gap-1.5 text-sm">
      {links.map((link) => (
        <li key={link.path + link.title}>
          <GuideLink to={link} onFollow={onFollow} />
        </li>
      ))}
    </ul>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import type { GuideProgress, GuideStep } from '../../../contracts/guide.ts'
import { Button } from '../../ui/button.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { cx } from '../../ui/cx.ts'
import { textLink } from '../../ui/link-styles.ts'
import { SkeletonGroup, SkeletonText } from '../../ui/skeleton.tsx'
import { markedOf, nextStep } from './checklist.ts'
import { guidanceOptions, useKeepProgress } from './guide.api.ts'
import { GuideLink, GuideLinks } from './guide-links.tsx'

type GuideStepsProps = { user: CurrentUser; progress: GuideProgress; onFollow: () => void }

/** The checklist: one step open, the others a line each. */
export function GuideSteps({ user, progress, onFollow }: GuideStepsProps) {
  const keep = useKeepProgress()
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
              onClick={() => keep({ current: step.id })}
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
  const keep = useKeepProgress()
  const [isToldMore, setToldMore] = useState(false)
  const marked = markedOf(progress)
  const next = nextStep(progress.steps, step.id)
  const start = () => {
    if (!step.isDone) keep({ marked: [...marked, step.id] })
    onFollow()
  }
  return (
    <div className="grid gap-3 pr-3 pb-3 pl-10.5 max-[22.5rem]:pl-3">
      <p className="text-muted text-sm">
        {step.text}{' '}
        {!isToldMore && (
          <button type="button" className={textLink} onClick={() => setToldMore(true)}>
            How it works
          </button>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <GuideLink to={step} onFollow={start} label={`Get Started: ${step.title}`} className={buttonClass('primary', 'sm')}>
          Get Started
        </GuideLink>
        {next && (
          <Button variant="secondary" size="sm" onClick={() => keep({ current: next.id })}>
            Next Step
          </Button>
        )}
        {step.doneBy === 'mark' && (
          <Button variant="quiet" size="sm" onClick={() => keep({ marked: marked.filter((id) => id !== step.id) })}>
            Not done yet
          </Button>
        )}
      </div>
      {isToldMore && <Guidance user={user} step={step} onFollow={onFollow} />}
    </div>
  )
}

/** What the help says about a step. Where that does not come, the loading just stops. */
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

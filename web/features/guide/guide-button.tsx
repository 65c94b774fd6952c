import { Signpost } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { GuideProgress } from '../../../contracts/guide.ts'
import { takeFocusWish } from './guide-store.ts'

const radius = 26
const length = 2 * Math.PI * radius

type GuideButtonProps = { progress: GuideProgress | undefined; onOpen: () => void }

/** The guide made small: a round button with its progress around it. */
export function GuideButton({ progress, onOpen }: GuideButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takeFocusWish()) button.current?.focus()
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

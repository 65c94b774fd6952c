import { type ReactNode, useEffect, useRef } from 'react'
import { brand } from '../../lib/boot.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { cx } from '../../ui/cx.ts'
import { MorningHills } from '../accounts/morning-hills.tsx'

const widths = { gate: 'max-w-[29rem]', choice: 'max-w-[50rem]', form: 'max-w-[42.5rem]' }

type OnboardingFrameProps = {
  width: keyof typeof widths
  plain?: boolean
  /** Small print below the content. */
  footer?: ReactNode
  children: ReactNode
}

/**
 * The sun rises over hills behind one subject. In front of the door there is no header, so the brand stands above it; people who are
 * through have their header (`plain`).
 */
export function OnboardingFrame({ width, plain = false, footer, children }: OnboardingFrameProps) {
  const height = plain ? 'min-h-[70dvh]' : 'min-h-dvh'
  return (
    <div className={cx('relative isolate overflow-clip', height)}>
      <div
        data-cover="farm"
        aria-hidden="true"
        className="absolute inset-0 -z-1 bg-linear-to-b from-25% from-ground to-(--cover-sky) to-75%"
      >
        <div className="absolute inset-x-0 bottom-0 h-[min(100%,clamp(20rem,64dvh,40rem))]">
          <MorningHills />
        </div>
      </div>
      <div className={cx('mx-auto flex w-full flex-col justify-center gap-6 px-4 py-8 sm:gap-8 sm:px-6 sm:py-10', height, widths[width])}>
        {!plain && (
          <div className="grid justify-items-center gap-2 text-center">
            <p className="flex items-center gap-2.5 font-display font-display text-2xl">
              <BrandMark className="size-9" />
              {brand.name}
            </p>
            <p className="text-muted">{brand.tagline}</p>
          </div>
        )}
        {children}
        {footer && <p className="self-center rounded-card bg-surface/90 px-4 py-2 text-center text-muted text-sm">{footer}</p>}
      </div>
    </div>
  )
}

/** The heading of a step. It takes the focus when it follows another step, so that the change is heard and read from its start. */
export function StepHeading({ follows, children }: { follows: boolean; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (follows) heading.current?.focus()
  }, [follows])
  return (
    <h1 ref={heading} tabIndex={-1} className="text-2xl">
      {children}
    </h1>
  )
}

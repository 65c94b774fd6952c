import { type ReactNode, useEffect, useRef } from 'react'
import { MorningHills } from '#web/entities/accounts/morning-hills.tsx'
import { brand } from '#web/lib/boot.ts'
import { BrandMark } from '#web/ui/brand-mark.tsx'
import { cx } from '#web/ui/cx.ts'

const widths = { gate: 'max-w-[29rem]', choice: 'max-w-[50rem]', form: 'max-w-[42.5rem]' }

type OnboardingFrameProps = {
  width: keyof typeof widths
  plain?: boolean
  footer?: ReactNode
  children: ReactNode
}

/**
 * A single subject in front of hills and a rising sun. Shows the brand, because there is no header during onboarding; people who have
 * completed it have one (`plain`).
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

/** Heading of a step. Takes the focus when it follows another step, so that screen readers announce the change. */
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

import { type ReactNode, useRef } from 'react'
import { useCurrentUser } from '../../lib/current-user.ts'
import { cx } from '../../ui/cx.ts'
import { BottomBar } from './bottom-bar.tsx'
import { Footer } from './footer.tsx'
import { LandingHeader } from './landing-header.tsx'
import { SimpleHeader } from './simple-header.tsx'
import { mainId, SkipLink } from './skip-link.tsx'
import { TopHeader } from './top-header.tsx'
import { useScreenHeading } from './use-screen-heading.ts'

/** `none` is for a screen that stands alone: no header, no bottom bar, no footer. */
export type FrameHeader = 'top' | 'simple' | 'landing' | 'none'

/** What stands around every screen. The screen has one `h1`; see {@link useScreenHeading} for what hangs on it. */
export function AppFrame({ header, children }: { header: FrameHeader; children: ReactNode }) {
  const user = useCurrentUser()
  const main = useRef<HTMLElement>(null)
  useScreenHeading(main)
  const hasBottomBar = user?.hasCompletedOnboarding && header !== 'none'
  return (
    <div className={cx('flex min-h-dvh flex-col', hasBottomBar && 'max-md:pb-[calc(3.5rem+env(safe-area-inset-bottom))]')}>
      <SkipLink target={main} />
      {header === 'landing' && <LandingHeader />}
      {header === 'top' && user && <TopHeader user={user} />}
      {(header === 'simple' || (header === 'top' && !user)) && <SimpleHeader user={user} />}
      <main id={mainId} ref={main} tabIndex={-1} className="flex-1">
        {children}
      </main>
      {header !== 'none' && <Footer />}
      {hasBottomBar && <BottomBar />}
    </div>
  )
}
